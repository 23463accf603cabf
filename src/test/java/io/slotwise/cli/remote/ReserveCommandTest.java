package io.slotwise.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.kubectl.KubectlCluster;
import io.slotwise.kubernetes.kubectl.PodController;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.report.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ReserveCommandTest {

    private static final long NOW = 1_893_456_000L;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private @Nullable Reservation created;
    private String refusal = "";

    /** A cluster whose Slotwise answers at the second look. */
    private final class Answering implements KubectlCluster {
        private int looks;

        @Override
        public String namespace() {
            return "research";
        }

        @Override
        public void create(Reservation reservation) {
            if (!refusal.isEmpty()) {
                throw new IllegalArgumentException(refusal);
            }
            created = reservation;
        }

        @Override
        public @Nullable GangRecord record(String namespace, String name) {
            looks++;
            GangId hold = new GangId(namespace, name);
            GangRecord fresh = GangRecord.first(hold, NOW)
                    .withOwnership(new WindowOwnership.Held(OptionalLong.empty()))
                    .planned(false, "Unknown", "", NOW);
            Window window = Window.of(
                    hold,
                    NOW + 3600,
                    List.of(new Placement(name + "-0", "n1", NOW + 3600, NOW + 7200, new Cost(3_600_000_000L))));
            return looks < 2
                    ? fresh
                    : fresh.with(new Promise(window, WindowOrigin.CYCLIC, false))
                            .withPhase(Phase.PROMISED)
                            .planned(true, "Promised", "words", NOW);
        }

        @Override
        public List<PodController> makersOf(String namespace, String gang) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(PodController maker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private int run(String... args) {
        CommandConsole console = new CommandConsole(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                new Terminal(120, false, true),
                InstantSource.fixed(CommandLineRun.CLOCK));
        return new CommandLine(new ReserveCommand(console, Answering::new).spec())
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((e, _, _) -> {
                    err.write(String.valueOf(e.getMessage()));
                    return 2;
                })
                .execute(args);
    }

    @Test
    void aReservationIsWrittenAndItsWindowShown() {
        assertThat(run(
                        "friday",
                        "--size",
                        "1",
                        "--cpu",
                        "4",
                        "--runtime",
                        "1h",
                        "--earliest-start",
                        "2030-01-01T01:00:00Z"))
                .isZero();

        assertThat(created).isNotNull();
        assertThat(out.toString())
                .startsWith("research/friday is promised: an advance reservation: its room is kept from"
                        + " 2030-01-01T01:00:00Z to 2030-01-01T02:00:00Z\nfor the gang that names it.")
                .contains("Its window is from 2030-01-01T01:00:00Z to 2030-01-01T02:00:00Z and costs 1");
    }

    @Test
    void theAnswerIsAvailableAsJson() {
        run("friday", "--size", "1", "--runtime", "1h", "-o", "json");

        assertThat(out.toString()).contains("\"kind\" : \"reservation\"", "\"gang\" : \"research/friday\"");
    }

    @Test
    void aDryRunPrintsTheManifestAndTouchesNothing() {
        run(
                "friday",
                "-n",
                "user",
                "--size",
                "8",
                "--resource",
                "cpu=4,nvidia.com/gpu=1",
                "--start",
                "2030-01-04T09:00:00Z",
                "--runtime",
                "6h",
                "--budget",
                "20",
                "--dry-run");

        assertThat(created).isNull();
        assertThat(out.toString()).isEqualToIgnoringNewLines("""
            ---
            apiVersion: "slotwise.io/v1alpha1"
            kind: "Reservation"
            metadata:
              name: "friday"
              namespace: "user"
            spec:
              hold:
                size: 8
                resources:
                  cpu: "4"
                  nvidia.com/gpu: "1"
                window:
                  start: "2030-01-04T09:00:00Z"
                  end: "2030-01-04T15:00:00Z"
                budget: "20"
            """);
    }

    @Test
    void aDryRunIsAnInputOfPlan() {
        run("friday", "--size", "1", "--cpu", "1", "--runtime", "1h", "--dry-run");

        CommandLineRun plan = CommandLineRun.withInput(
                out.toString(),
                "plan",
                "-f",
                "src/test/resources/scenarios/turnover-is-kept-free/cluster.yaml",
                "-f",
                "-",
                "-o",
                "csv");

        assertThat(plan.status()).isZero();
        assertThat(plan.out()).contains("default/friday");
    }

    @Test
    void aRefusalOfTheClusterIsShownVerbatim() {
        refusal = "reservation research/friday already exists: expected another name";

        assertThat(run("friday", "--size", "1", "--runtime", "1h")).isEqualTo(2);
        assertThat(err.toString()).contains(refusal);
    }

    @Test
    void aWordThatCannotBeReadIsRefusedBeforeTheClusterIsAsked() {
        assertThat(run("friday", "--size", "many", "--runtime", "1h")).isEqualTo(2);
        assertThat(run("friday", "--size", "2", "--runtime", "soon")).isEqualTo(2);
        assertThat(run("friday", "--size", "2", "--resource", "cpu")).isEqualTo(2);
        assertThat(run("friday", "--size", "2", "-o", "csv")).isEqualTo(2);
        assertThat(run("Friday!", "--size", "2", "--runtime", "1h", "--dry-run"))
                .isEqualTo(2);
        assertThat(run("friday", "--size", "2", "--runtime", "1h", "--start", "2029-12-31T23:59:59Z", "--dry-run"))
                .isEqualTo(2);
        assertThat(run("friday", "--size", "2", "--runtime", "1h", "--deadline", "2029-01-01T00:00:00Z"))
                .isEqualTo(2);
        assertThat(run("friday", "--size", "2", "--runtime", "1h", "--lockstep", "yes"))
                .isEqualTo(2);

        assertThat(created).isNull();
        assertThat(err.toString())
                .contains("`size` (many) is not valid: expected a whole number")
                .contains("`name` (Friday!) is not valid: expected at most 253 of a-z, 0-9, - and .")
                .contains("`start` (2029-12-31T23:59:59Z) is in the past: expected an instant from "
                        + "2030-01-01T00:00:00Z on")
                .contains("`deadline` (2029-01-01T00:00:00Z) is in the past")
                .contains("`spec.hold.runtime` (soon) is not valid")
                .contains("--resource (cpu) is not valid; expected NAME=AMOUNT")
                .contains("`lockstep` (yes) is not valid: expected true or false")
                .contains("'csv' is not an output format; expected table, json or yaml");
    }
}
