package io.slotwise.cli.console;

/** What commands end with beside 0 and picocli's status of wrong usage. */
public final class ExitStatus {
    /** Something was asked for that could not be had. */
    public static final int FAILED = 1;

    private ExitStatus() {}
}
