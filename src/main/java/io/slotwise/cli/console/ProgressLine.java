package io.slotwise.cli.console;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * One line of a terminal that says how far the work is, and goes when it is done. Where there is no terminal nothing is
 * shown.
 */
public final class ProgressLine implements AutoCloseable {
    private static final int STEPS = 100;

    private final @Nullable PrintWriter terminal;
    private final String name;
    private int shown = -1;

    private ProgressLine(@Nullable PrintWriter terminal, String name) {
        this.terminal = terminal;
        this.name = name;
    }

    /** A line of the process's terminal, if it has one. */
    public static ProgressLine of(CommandConsole session, String name) {
        return new ProgressLine(CommandConsole.onTerminal() ? session.err() : null, name);
    }

    /** So much of so much is done; by any thread. */
    public synchronized void show(int done, int of) {
        int step = (int) ((long) done * STEPS / of);
        if (terminal != null && step > shown) {
            shown = step;
            terminal.print("\r%s: %d of %d".formatted(name, done, of));
            terminal.flush();
        }
    }

    @Override
    public synchronized void close() {
        if (terminal != null && shown >= 0) {
            terminal.print("\r\u001b[K");
            terminal.flush();
        }
    }
}
