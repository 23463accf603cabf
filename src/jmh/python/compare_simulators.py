"""Times Slotwise's simulator against AccaSim, whole processes on the same log in turn, and prints a table for docs/explanation/performance.md.

    compare_simulators.py [--parts 4,2,1] [--rounds 3] [--longest 600] LOG.swf[.gz] -- SLOTWISE COMMAND...

The log is converted first, so that both read the same plain file of jobs that have a size and a runtime. `--parts 4,2,1` also takes
the first quarter and the first half of its jobs. AccaSim is given up where a run takes longer than `--longest` seconds. AccaSim is
fetched from the Python package index into a folder of its own.
"""

import argparse
import csv
import datetime
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ACCASIM = "accasim==1.1.3"
HERE = Path(__file__).resolve().parent


class Outcome:
    """How long a process took, how much memory it had at most, and what it wrote; seconds are None where it was given up."""

    def __init__(self, seconds, mebibytes, output):
        self.seconds = seconds
        self.mebibytes = mebibytes
        self.output = output


def timed(command, longest):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=err, start_new_session=True)
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.alarm(longest)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        seconds = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode == -signal.SIGKILL:
            return Outcome(None, usage.ru_maxrss / 1024, "")
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{err.read().decode()}")
        return Outcome(seconds, usage.ru_maxrss / 1024, out.read().decode())


def environment(folder):
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ACCASIM], check=True)
    return str(python)


def cut(log, part, folder):
    lines = log.read_text().splitlines(keepends=True)
    header = [line for line in lines if line.startswith(";")]
    jobs = [line for line in lines if not line.startswith(";")]
    jobs = jobs[: len(jobs) // part]
    piece = folder / f"part-{part}.swf"
    piece.write_text("".join(header + jobs))
    return piece, len(jobs)


def processors(log):
    for line in log.read_text().splitlines():
        if line.startswith("; MaxProcs:"):
            return line.split(":")[1].strip()
    sys.exit(f"{log}: the header has no MaxProcs")


def slotwise(command, log, discipline, longest):
    outcome = timed([*command, "study", "simulate", "--workload", str(log), "--policy", discipline, "-o", "csv"], longest)
    waits = [row for row in csv.DictReader(io.StringIO(outcome.output)) if row["metric"] == "wait"]
    return outcome, float(waits[0]["mean"]) if waits else None


def accasim(python, log, discipline, longest, folder):
    results = folder / "accasim"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    run = [python, str(HERE / "accasim_run.py"), str(log), processors(log), discipline, str(results)]
    outcome = timed(run, longest)
    if outcome.seconds is None:
        return outcome, None
    waits = []
    for line in next((results / "results").glob("sched-*")).read_text().splitlines():
        queued, _, started = line.split("__")
        waits.append((instant(started) - instant(queued.split(";", 2)[2])).total_seconds())
    return outcome, sum(waits) / len(waits)


def instant(text):
    return datetime.datetime.fromisoformat(text.split(";")[0])


def best(outcomes):
    """The fastest of several runs of one thing; their waits are the same."""
    return min(outcomes, key=lambda pair: float("inf") if pair[0].seconds is None else pair[0].seconds)


def cells(outcome, wait, longest):
    if outcome.seconds is None:
        return [f"over {longest}", "", ""]
    return [f"{outcome.seconds:.1f}", f"{outcome.mebibytes:.0f}", f"{wait:.0f}"]


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser(prog="compare_simulators.py")
    parser.add_argument("--parts", default="1")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--longest", type=int, default=600)
    parser.add_argument("--environment", type=Path, required=True)
    parser.add_argument("log")
    options = parser.parse_args(sys.argv[1:split])
    command = sys.argv[split + 1 :]
    python = environment(options.environment)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        plain = folder / "log.swf"
        subprocess.run([*command, "study", "convert", "--from", options.log, "--to", "swf", "-o", str(plain)], check=True)
        print(f"{Path(options.log).name}, {processors(plain)} processors")
        print("| jobs | discipline | Slotwise s | MiB | mean wait s | AccaSim s | MiB | mean wait s | times as fast |")
        print("|--:|---|--:|--:|--:|--:|--:|--:|--:|")
        for part in options.parts.split(","):
            piece, jobs = cut(plain, int(part), folder)
            for discipline in ("fcfs", "easy"):
                ours, theirs = [], []
                for _ in range(options.rounds):
                    ours.append(slotwise(command, piece, discipline, options.longest))
                    if not theirs or theirs[-1][0].seconds is not None:
                        theirs.append(accasim(python, piece, discipline, options.longest, folder))
                our, their = best(ours), best(theirs)
                ratio = "" if their[0].seconds is None else f"{their[0].seconds / our[0].seconds:.1f}"
                row = [str(jobs), discipline, *cells(*our, options.longest), *cells(*their, options.longest), ratio]
                print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
