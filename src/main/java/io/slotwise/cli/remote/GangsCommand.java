package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;

/** The gangs of a running Slotwise. */
public final class GangsCommand implements Runnable {
    private final CommandConsole session;
    private final CommandSpec spec;
    private final ListedGangs gangs;

    public GangsCommand(CommandConsole session, Remote.Finder finder) {
        this(session, finder, Watched.Pause.USUAL);
    }

    GangsCommand(CommandConsole session, Remote.Finder finder, Watched.Pause pause) {
        this.session = session;
        this.spec = CommonOptions.command("gangs", this, "List the gangs of a running Slotwise.");
        this.gangs = new ListedGangs(session, spec, finder, pause);
        spec.usageMessage()
                .description(
                        "",
                        "Shows each gang's phase, its start, cost and budget, and why it waits.",
                        ListedGangs.WHERE,
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise gangs -n research",
                        "  slotwise gangs -A --watch",
                        "  slotwise gangs --server http://127.0.0.1:8080 -o json");
    }

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        gangs.show(UnaryOperator.identity(), list -> list.table(session.terminal()));
    }
}
