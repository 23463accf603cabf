package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.DomainsReport;
import io.slotwise.report.NodesReport;
import java.io.IOException;

/** Lists the nodes on which a running Slotwise plans. */
public final class NodesCommand extends ConsoleCommand implements Runnable {
    static final String BOARD = "/api/v1/board";
    private static final String BY = "--by";

    private final RemoteOptions remote;
    private final Watched watched;

    public NodesCommand(CommandConsole console, Remote.Finder finder) {
        this(console, finder, Watched.Pause.USUAL);
    }

    NodesCommand(CommandConsole console, Remote.Finder finder, Watched.Pause pause) {
        super(console, "nodes", "Show the nodes that a running Slotwise plans on.");

        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        this.watched = new Watched(console, spec, pause);
        spec.addOption(OutputFormat.option())
                .addOption(text(BY, "LEVEL", "The free room in the domains of this level, such as rack."));
        help(
                spec,
                """
                slotwise nodes --watch
                slotwise nodes --by rack
                slotwise nodes --server http://127.0.0.1:8080 -o csv
                """,
                "Shows each node's state (planned, if it is to be bought, starting, if it is bought and not there, "
                        + "idle, mixed, busy, kept by its owner, or closed: cordoned or not ready), its "
                        + "price per hour, how much of it is in use, by which gangs, and the next start that "
                        + "is promised on it. With --by it shows each domain of a level, its open nodes, and the "
                        + "room that is free on them now. A level is a label key of the policy's gangs.topology, or "
                        + "the last part of one.",
                RemoteOptions.WHERE);
    }

    @Override
    public void run() {
        try (Remote remoteSlotwise = remote.open()) {
            watched.show(() -> look(remoteSlotwise));
        }
    }

    private Watched.Look look(Remote remote) {
        try {
            String level = given(BY, String.class);
            if (level != null) {
                return domains(DomainsReport.read(board(remote), level));
            }
            NodesReport nodes = NodesReport.read(board(remote));
            return new Watched.Look(
                    nodes.nodes(),
                    switch (OutputFormat.of(spec)) {
                        case TABLE -> nodes.table(console.terminal());
                        case JSON -> nodes.json();
                        case CSV -> nodes.csv();
                    });
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }

    private Watched.Look domains(DomainsReport domains) {
        return new Watched.Look(
                domains.domains(),
                switch (OutputFormat.of(spec)) {
                    case TABLE -> domains.table(console.terminal());
                    case JSON -> domains.json();
                    case CSV -> domains.csv();
                });
    }

    static String board(Remote remote) {
        return RemoteOptions.ask(remote, BOARD, null)
                .orElseThrow(() -> new Unreachable("Slotwise does not show its board"));
    }
}
