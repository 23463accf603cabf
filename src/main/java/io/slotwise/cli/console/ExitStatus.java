package io.slotwise.cli.console;

/** The exit statuses other than 0 and picocli's status of wrong usage. */
public final class ExitStatus {
    /** A request could not be fulfilled. */
    public static final int FAILED = 1;

    private ExitStatus() {}
}
