package io.slotwise.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.DiagReport;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.JsonObject;
import java.io.IOException;
import java.util.List;

/** Shows the state of a running Slotwise on one screen. */
public final class DiagCommand extends ConsoleCommand implements Runnable {

    private final RemoteOptions remote;

    public DiagCommand(CommandConsole console, Remote.Finder finder) {
        super(console, "diag", "Show the state of a running Slotwise.");

        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        spec.addOption(OutputFormat.option());
        help(
                spec,
                """
                slotwise diag
                slotwise diag --server http://127.0.0.1:8080 -o json
                """,
                "Shows whether it plans, how many gangs wait, are promised and run, why they wait, which one has "
                        + "waited longest, how many gangs started by what was promised, why promises moved, "
                        + "which nodes are bought and what was spent on them, and the notes of the last plan.",
                RemoteOptions.WHERE);
    }

    @Override
    public void run() {
        OutputFormat format = OutputFormat.of(spec);
        if (format == OutputFormat.CSV) {
            throw wrong("diag does not support CSV; expected -o table or json");
        }
        try (Remote remoteSlotwise = remote.open()) {
            JsonNode board = JsonObject.MAPPER.readTree(NodesCommand.board(remoteSlotwise));
            List<GangRow> gangs = ListedGangs.listed(remoteSlotwise, null).gangs();
            DiagReport report = new DiagReport(board, gangs);
            console.out().print(format == OutputFormat.JSON ? report.json() : report.table(console.terminal()));
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }
}
