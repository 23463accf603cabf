package io.slotwise.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that this JVM has started, with its output in a log file. It is ended by its process id, at the latest with
 * the JVM.
 */
public final class RunningProgram implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 10;
    private static final int LAST_LINES = 5;

    private final String name;
    private final Path log;
    private final Process process;

    private RunningProgram(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts {@code command} with {@code environment} added to this JVM's own. The output is appended to {@code log}.
     */
    public static RunningProgram start(String name, List<String> command, Map<String, String> environment, Path log) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            OrphanGuard.watch(process);
            return new RunningProgram(name, log, process);
        } catch (IOException e) {
            throw new UncheckedIOException("The program " + name + " (" + command.getFirst() + ") did not start.", e);
        }
    }

    public String name() {
        return name;
    }

    /** The program's processor time, in steps of 10 ms. */
    public Duration processorTime() {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IllegalStateException(
                        "The processor time of the program " + name + " cannot be read on this system."));
    }

    public long pid() {
        return process.pid();
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    public Path log() {
        return log;
    }

    /** Fails with the program's name and the end of its log if the program has ended by itself. */
    public void requireRunning() {
        if (!process.isAlive()) {
            throw new IllegalStateException("The program " + name + " ended with status " + process.exitValue()
                    + "; its log is " + log + " and ends so:\n" + lastLines());
        }
    }

    private String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Kills the program with SIGKILL, as a crash would, and waits for its end. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** Sends a signal by name, such as {@code STOP}. */
    public void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .inheritIO()
                    .start();
            kill.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the program (SIGTERM), and kills it after ten seconds. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        await();
    }

    private void await() {
        process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        OrphanGuard.forget(process);
    }
}
