package io.slotwise.cli.console;

import picocli.CommandLine.Model.CommandSpec;

/** A command for picocli; subclasses are a Runnable, or a Callable of the exit status. */
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
