package io.slotwise.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.kubernetes.publish.GateRemoval.Outcome;
import io.slotwise.report.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class UngateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandConsole console = new CommandConsole(
            new ByteArrayInputStream(new byte[0]),
            new PrintWriter(out),
            new PrintWriter(err),
            new Terminal(80, false, false),
            InstantSource.fixed(Instant.EPOCH));

    @Test
    void saysHowManyPodsLostTheGate() {
        UngateCommand command = new UngateCommand(console, (name, binding, _) -> {
            assertThat(name).isEqualTo("planner");
            assertThat(binding).isEqualTo("planner-gate");
            return new Outcome.Removed(3);
        });

        int status =
                new CommandLine(command.spec()).execute("--scheduler-name=planner", "--policy-binding=planner-gate");

        assertThat(status).isZero();
        assertThat(out.toString()).contains("Removed the gate from 3 pods with schedulerName planner.");
    }

    @Test
    void podsOfBothNamesLoseTheGateAndTheBindingIsDeletedOnce() {
        List<String> calls = new ArrayList<>();
        UngateCommand command = new UngateCommand(console, (name, binding, _) -> {
            calls.add(name + " " + binding);
            return new Outcome.Removed(1);
        });

        int status = new CommandLine(command.spec()).execute("--policy-binding=slotwise-gate");

        assertThat(status).isZero();
        assertThat(calls).containsExactly("slotwise slotwise-gate", "slotwise-extender null");
    }

    @Test
    void recordsMayBeReleasedWhileGatesStay() {
        List<String> calls = new ArrayList<>();
        UngateCommand command = new UngateCommand(console, (name, binding, deployment) -> {
            calls.add(name + " " + binding + " " + deployment);
            return new Outcome.Removed(0);
        });

        int status = new CommandLine(command.spec()).execute("--keep-gates", "--deployment=a/b");

        assertThat(status).isZero();
        assertThat(calls).containsExactly("null null a/b");
        assertThat(out.toString()).isEqualToIgnoringNewLines("Released all Reservations; the gates stay.");
        StringWriter usage = new StringWriter();
        assertThat(new CommandLine(command.spec())
                        .setErr(new PrintWriter(usage))
                        .execute("--keep-gates", "--policy-binding=c"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(usage.toString()).contains("--keep-gates leaves the gates; expected neither");
    }

    @Test
    void aFailureEndsWithStatusOneAndItsMessage() {
        UngateCommand command = new UngateCommand(console, (_, _, _) -> new Outcome.Failed("pods is forbidden"));

        int status = new CommandLine(command.spec()).execute();

        assertThat(status).isEqualTo(1);
        assertThat(err.toString()).contains("slotwise: pods is forbidden");
    }
}
