package io.slotwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.live.cycle.CycleTrigger;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Unheard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingPolicyTest {
    private static final Logger LOGGER = Logger.getLogger(ReloadingPolicy.class.getName());

    private final Path folder;
    private final Path file;
    private final Counts counts = new Counts();
    private final LogLines log = new LogLines();

    ReloadingPolicyTest(@TempDir Path folder) {
        this.folder = folder;
        this.file = folder.resolve("policy.yaml");
    }

    @BeforeEach
    void listen() {
        LOGGER.addHandler(log);
    }

    @AfterEach
    void listenNoMore() {
        LOGGER.removeHandler(log);
    }

    @Test
    void aChangedFileIsInForceFromTheNextLookOn() throws IOException {
        CurrentSettings policy = reading("gangs.criterion: cost\nplanner.cycle: 20s");
        write("gangs.criterion: cost\nbatch.objective: min-cost\nbatch.limit: {cost: 2.5}\nplanner.cycle: 5s");

        assertThat(policy.get().cycle()).isEqualTo(20);
        LoopSettings renewed = policy.renewed();

        assertThat(renewed).isEqualTo(policy.get());
        assertThat(renewed.cycle()).isEqualTo(5);
        assertThat(renewed.defaultCriterion()).isEqualTo(Criterion.COST);
        assertThat(renewed.policy().batch().objective()).isEqualTo(Objective.MIN_COST);
        assertThat(log.lines)
                .containsExactly(
                        "INFO a new policy from %s is active: batch.limit.cost: (none) -> 2.5, ".formatted(file)
                                + "batch.objective: user -> min-cost, planner.cycle: 20s -> 5s");
        assertThat(counts.replaced).isEqualTo(1);
    }

    @Test
    void aFileThatSaysTheSameIsNoNewPolicy() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");
        LoopSettings before = policy.get();

        assertThat(policy.renewed()).isSameAs(before);
        write("# the same\nplanner.cycle: 20s");

        assertThat(policy.renewed()).isEqualTo(before);
        assertThat(log.lines)
                .containsExactly("INFO the policy file %s was reloaded and has not changed".formatted(file));
        assertThat(counts.replaced).isZero();
    }

    @Test
    void aContentOfTheSameLengthAndTimeIsSeen() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(file, "planner.cycle: 30s");
        Files.setLastModifiedTime(file, time);

        assertThat(policy.renewed().cycle()).isEqualTo(30);
    }

    @Test
    void aConfigMapThatSwapsItsLinkIsSeen() throws IOException {
        Path data = folder.resolve("..data");
        Files.createSymbolicLink(data, version("..1", "planner.cycle: 20s"));
        Files.createSymbolicLink(file, Path.of("..data/policy.yaml"));
        CurrentSettings policy = new ReloadingPolicy(file, Map.of(), counts);
        assertThat(policy.get().cycle()).isEqualTo(20);

        Path swapped = Files.createSymbolicLink(folder.resolve("..data_tmp"), version("..2", "planner.cycle: 30s"));
        Files.move(swapped, data, StandardCopyOption.ATOMIC_MOVE);

        assertThat(policy.renewed().cycle()).isEqualTo(30);
    }

    @Test
    void anInvalidFileChangesNothingAndIsReportedOnceUntilFixed() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");
        LoopSettings before = policy.get();
        write("planner.cycle: 5s\nbatch.objective: luck");

        assertThat(policy.renewed()).isSameAs(before);
        assertThat(policy.renewed()).isSameAs(before);

        assertThat(counts.usable).isFalse();
        assertThat(log.lines)
                .singleElement()
                .asString()
                .isEqualTo("WARN the policy file is not valid, and the previous policy stays active: "
                        + ("%s, line 2: `batch.objective` (luck) is not valid: expected one of user, max-income, "
                                        + "min-cost, min-processor-time, max-processor-time, max-value")
                                .formatted(file));

        write("planner.cycle: 5s\nbatch.objective: user");

        assertThat(policy.renewed().cycle()).isEqualTo(5);
        assertThat(counts.usable).isTrue();
        assertThat(counts.replaced).isEqualTo(1);
        assertThat(log.lines.getLast())
                .isEqualTo("INFO a new policy from %s is active: planner.cycle: 20s -> 5s".formatted(file));
    }

    @Test
    void everyOtherInvalidContentIsReportedAgain() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");

        for (String text : List.of(
                "planner.cycle: soon",
                "[1, 2",
                "planner.cycle: 1s\n---\nplanner.cycle: 2s",
                "just words",
                "a: \u0000")) {
            write(text);
            assertThat(policy.renewed().cycle()).isEqualTo(20);
        }

        assertThat(log.lines)
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).startsWith("WARN ").contains("expected"));
    }

    @Test
    void bytesThatAreNoTextChangeNothing() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(policy.renewed().cycle()).isEqualTo(20);

        assertThat(log.lines)
                .singleElement()
                .asString()
                .startsWith("WARN ")
                .endsWith("no text: expected YAML in UTF-8");
    }

    @Test
    void aFileThatIsGoneChangesNothingAndComesBackUnchanged() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");
        Files.delete(file);

        assertThat(policy.renewed().cycle()).isEqualTo(20);
        assertThat(policy.renewed().cycle()).isEqualTo(20);

        assertThat(log.lines).singleElement().asString().endsWith("no such file: expected a policy file");
        assertThat(counts.usable).isFalse();

        write("planner.cycle: 20s");

        assertThat(policy.renewed().cycle()).isEqualTo(20);
        assertThat(counts.usable).isTrue();
        assertThat(counts.replaced).isZero();
    }

    @Test
    void propertiesOverrideTheFileAfterAReloadToo() throws IOException {
        write("planner.cycle: 20s\nbatch.limit: {cost: 1}");
        CurrentSettings policy = new ReloadingPolicy(
                file,
                Map.of("slotwise.policy.planner.cycle", "7s", "slotwise.policy.batch.limit.processor-time", "5"),
                counts);

        write("planner.cycle: 30s\nplanner.collect: 3s\nbatch.limit: {cost: 2}");
        LoopSettings renewed = policy.renewed();

        assertThat(renewed.cycle()).isEqualTo(7);
        assertThat(renewed.collect()).isEqualTo(3);
        assertThat(renewed.policy().batch().limit().figure()).hasValue(5);
    }

    @Test
    void thePaceFollowsTheFile() throws IOException {
        CurrentSettings policy = reading("planner.cycle: 20s");
        CycleTrigger pace = new CycleTrigger(policy);
        Instant begin = Instant.ofEpochSecond(1000);
        pace.begins(begin);
        write("planner.cycle: 5s");

        policy.renewed();

        assertThat(pace.next(begin)).isEqualTo(begin.plusSeconds(5));
    }

    @Test
    void atTheBeginningAnUnusableFileIsAnError() throws IOException {
        assertThatThrownBy(() -> new ReloadingPolicy(file, Map.of(), counts))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("%s: no such file: expected a policy file", file);

        write("planner.cycle: soon");

        assertThatThrownBy(() -> new ReloadingPolicy(file, Map.of(), counts))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("line 1: `planner.cycle` (soon) is not valid");
    }

    private CurrentSettings reading(String text) throws IOException {
        write(text);
        return new ReloadingPolicy(file, Map.of(), counts);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private Path version(String name, String text) throws IOException {
        Path version = Files.createDirectory(folder.resolve(name));
        Files.writeString(version.resolve("policy.yaml"), text);
        return Objects.requireNonNull(version.getFileName());
    }

    private static final class LogLines extends Handler {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void publish(LogRecord record) {
            lines.add(record.getLevel().getName().replace("WARNING", "WARN") + " "
                    + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static final class Counts extends Unheard {
        private int replaced;
        private boolean usable = true;

        @Override
        public void policyReplaced() {
            replaced++;
        }

        @Override
        public void policyUsable(boolean can) {
            usable = can;
        }
    }
}
