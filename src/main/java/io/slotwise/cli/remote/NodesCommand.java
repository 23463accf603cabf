package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.NodesReport;
import java.io.IOException;

/** Lists the nodes on which a running Slotwise plans. */
public final class NodesCommand extends ConsoleCommand implements Runnable {
    static final String BOARD = "/api/v1/board";

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
        spec.addOption(OutputFormat.option());
        help(
                spec,
                """
                slotwise nodes --watch
                slotwise nodes --server http://127.0.0.1:8080 -o csv
                """,
                "Shows each node's state (planned, if it is to be bought, starting, if it is bought and not there, "
                        + "idle, mixed, busy, kept by its owner, or closed: cordoned or not ready), its "
                        + "price per hour, how much of it is in use, by which gangs, and the next start that "
                        + "is promised on it.",
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
            NodesReport nodes = NodesReport.read(board(remote));
            return new Watched.Look(
                    nodes.nodes(),
                    switch (OutputFormat.of(spec)) {
                        case TABLE -> nodes.table(console.terminal());
                        case JSON -> nodes.json();
                        case CSV -> nodes.csv();
                    });
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }

    static String board(Remote remote) {
        return RemoteOptions.ask(remote, BOARD, null)
                .orElseThrow(() -> new Unreachable("Slotwise does not show its board"));
    }
}
