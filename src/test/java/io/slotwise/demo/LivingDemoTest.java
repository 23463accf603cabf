package io.slotwise.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.demo.LivingDemo.Setting;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Unheard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LivingDemoTest {
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");

    private static final LoopSettings SETTINGS = PolicyFile.empty()
            .overlay(Map.of(
                    "slotwise.policy.planner.horizon", "24h",
                    "slotwise.policy.planner.cycle", "1m",
                    "slotwise.policy.running.overrun.grace", "10m"))
            .settings();

    /** Records the events of a demo, and checks that nothing is used twice. */
    private static final class Diary extends Unheard implements DemoListener {
        private final List<String> lines = new ArrayList<>();
        private final TreeSet<String> causes = new TreeSet<>();
        private final TreeSet<String> reasons = new TreeSet<>();
        private long cycles;
        private long latest;

        @Override
        public void opened(GangRecord record, long second) {
            long promised = Objects.requireNonNull(record.promise()).window().start();
            assertThat(second).as("%s", record.gang()).isGreaterThanOrEqualTo(promised);
            latest = Math.max(latest, second - promised);
            lines.add(record.gang() + " " + second);
        }

        @Override
        public void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> records) {
            cycles++;
            Map<String, Resources> taken = new HashMap<>();
            for (Occupation held : snapshot.cluster().occupations()) {
                taken.merge(held.node(), held.resources(), Resources::plus);
            }
            for (Node node : snapshot.cluster().inventory()) {
                assertThat(node.allocatable().times(taken.getOrDefault(node.name(), Resources.NONE)))
                        .as("%s at %d", node.name(), snapshot.now())
                        .isPositive();
            }
        }

        @Override
        public void told(Instant when, String what, String subject, String words) {
            reasons.add(what);
        }

        @Override
        public void broken(Cause cause) {
            causes.add(cause.key());
        }
    }

    private static Diary lived(long seed, int nodes, Duration time) {
        Diary diary = new Diary();
        LivingDemo demo = demo(diary, seed, nodes);
        while (demo.clock().instant().isBefore(BEGIN.plus(time))) {
            demo.step();
        }
        return diary;
    }

    private static LivingDemo demo(Diary diary, long seed, int nodes) {
        return new LivingDemo(
                new Setting(nodes, BEGIN),
                CurrentSettings.fixed(SETTINGS),
                diary,
                diary,
                RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void gangsStartInTheirPromisedSecondsOnRoomThatIsTheirs(long seed) {
        Diary diary = lived(seed, 10, Duration.ofHours(4));

        assertThat(diary.lines).hasSizeGreaterThan(30).doesNotHaveDuplicates();
        assertThat(diary.latest).isLessThanOrEqualTo(1);
        assertThat(diary.causes).doesNotContain("outage");
        assertThat(diary.cycles).isGreaterThan(240);
    }

    @Test
    void gangsWithoutARuntimeArePlannedByEarlierRuns() {
        Diary diary = new Diary();
        LivingDemo demo = demo(diary, 1, 10);
        while (demo.clock().instant().isBefore(BEGIN.plus(Duration.ofHours(4)))) {
            demo.step();
        }

        List<GangRecord> renders = demo.view().records().stream()
                .filter(record -> record.gang().namespace().equals("media"))
                .toList();
        assertThat(renders).isNotEmpty().allSatisfy(record -> {
            RuntimeSource source = Objects.requireNonNull(record.terms().source());
            assertThat(source.stated()).isFalse();
            assertThat(source.workload().name()).isEqualTo("render");
        });
        Prediction known = renders.stream()
                .map(record -> Objects.requireNonNull(record.terms().source()).prediction())
                .filter(Objects::nonNull)
                .max(Comparator.comparingInt(Prediction::runs))
                .orElseThrow();
        assertThat(known.runs()).isGreaterThanOrEqualTo(2);
        // The runs take 45 minutes, give or take a tenth.
        assertThat(known.within()).isBetween(40L * 60, 50L * 60);
    }

    @Test
    void nodesFailAndPodsRunOverAsInACluster() {
        Diary diary = lived(7, 24, Duration.ofHours(6));

        assertThat(diary.causes).contains("node-lost", "overrun");
        assertThat(diary.reasons)
                .contains("WindowPromised", "GangStarted", "WindowBroken", "NodeLost", "NodeBack", "PriceChanged");
    }

    @Test
    void theSameSeedGivesTheSameDay() {
        assertThat(lived(5, 10, Duration.ofHours(2)).lines)
                .isEqualTo(lived(5, 10, Duration.ofHours(2)).lines)
                .isNotEqualTo(lived(6, 10, Duration.ofHours(2)).lines);
    }

    @Test
    void afterTheFirstHourGangsWaitArePromisedAndRun() {
        LivingDemo demo = demo(new Diary(), 1, 20);
        while (demo.clock().instant().isBefore(BEGIN.plus(Duration.ofHours(1)))) {
            demo.step();
        }

        assertThat(demo.view().records())
                .extracting(GangRecord::phase)
                .contains(Phase.PENDING, Phase.PROMISED, Phase.RUNNING);
        assertThat(demo.loop().latest()).isNotNull();
    }
}
