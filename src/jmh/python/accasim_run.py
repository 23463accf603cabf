"""Runs a log on a machine of whole processors under a discipline of AccaSim: LOG PROCESSORS fcfs|easy FOLDER.

AccaSim 1.1 was written for a Python before 3.10, whose `collections` still had the abstract ones; they are put back there.
"""

import collections
import collections.abc
import json
import sys
from pathlib import Path

for name in ("Callable", "Iterable", "Mapping", "MutableMapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))

from accasim.base.allocator_class import FirstFit  # noqa: E402
from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut  # noqa: E402
from accasim.base.simulator_class import Simulator  # noqa: E402

DISCIPLINES = {"fcfs": FirstInFirstOut, "easy": EASYBackfilling}


def main(log, processors, discipline, folder):
    machine = Path(folder, "machine.json")
    machine.write_text(json.dumps({"groups": {"all": {"core": 1}}, "resources": {"all": int(processors)}}))
    Simulator(
        log,
        str(machine),
        DISCIPLINES[discipline](FirstFit()),
        show_statistics=False,
        RESULTS_FOLDER_NAME=str(Path(folder, "results")),
    ).start_simulation()


if __name__ == "__main__":
    main(*sys.argv[1:])
