package io.slotwise.cli.console;

import picocli.CommandLine.Model.CommandSpec;

/** A command as picocli sees it; what is one is a Runnable, or a Callable of its exit status. */
public abstract class ConsoleCommand extends CommonOptions {
    protected final CommandConsole console;

    protected ConsoleCommand(CommandConsole console, String name, String header) {
        super(name, header);
        this.console = console;
    }

    public final CommandSpec spec() {
        return spec;
    }
}
