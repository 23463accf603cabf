package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.core.work.StopSignal;
import io.slotwise.report.QueuesReport;

/** Shows the tree of queues of files or of a cluster. */
public final class QueuesCommand extends ConsoleCommand implements Runnable {
    private final ObjectInputs inputs;

    public QueuesCommand(CommandConsole console) {
        super(console, "queues", "Show the queues of a cluster, or of Kubernetes objects in files.");

        this.inputs = new ObjectInputs(spec, console, "The instant to plan for");
        help(
                spec,
                """
                slotwise queues --cluster
                slotwise queues -f cluster.yaml -f queues.yaml --now 2030-01-01T00:00:00Z
                """,
                "Shows what each queue is guaranteed, uses, borrows and lends, and what is promised to its gangs. "
                        + "Windows are planned as by plan. Nothing is written to a cluster.");
    }

    @Override
    public void run() {
        FilePlan plan = FilePlan.of(inputs.taken(), inputs.settings(), StopSignal.NEVER);
        plan.warn(console.err());
        QueuesReport report = QueuesReport.of(plan.result().snapshot(), plan.plan());
        console.out()
                .print(
                        switch (inputs.format()) {
                            case TABLE -> report.table(console.terminal());
                            case JSON -> report.json();
                            case CSV -> report.csv();
                        });
    }
}
