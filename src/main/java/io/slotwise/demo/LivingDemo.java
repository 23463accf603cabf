package io.slotwise.demo;

import io.slotwise.core.cluster.Node;
import io.slotwise.live.cycle.CycleTrigger;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.PlanPublisher;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A living cluster and the loop that plans it, from step to step: each step is the next second in which anything is
 * due. It does not wait for anybody; who shows it does.
 */
public final class LivingDemo {
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final StepClock clock;
    private final LivingCluster cluster;
    private final CycleTrigger pace;
    private final PlanningLoop loop;
    private final GangStarter starter;
    private final GangDiary diary;

    /** When gangs are to be looked at next; null: when a record changes. */
    private volatile @Nullable Instant due;

    /**
     * A demo.
     *
     * @param nodes how many, positive
     * @param begin its first second
     */
    public record Setting(int nodes, Instant begin) {
        public Setting {
            if (nodes <= 0) {
                throw new IllegalArgumentException("The number of nodes (%d) must be positive.".formatted(nodes));
            }
        }
    }

    /**
     * A demo before its first step.
     *
     * @param audience who is told
     * @param random everything that happens follows from it
     */
    public LivingDemo(
            Setting setting,
            CurrentSettings settings,
            MetricsRecorder recorder,
            DemoListener audience,
            RandomGenerator random) {
        long begin = setting.begin.getEpochSecond();
        List<Node> nodes = DemoFleet.nodes(setting.nodes, begin);
        this.clock = new StepClock(setting.begin);
        this.cluster = new LivingCluster(nodes, clock, audience::opened);
        this.pace = new CycleTrigger(settings);
        this.starter = new GangStarter(
                settings, () -> true, new GangStarter.Ports(cluster, cluster, cluster, cluster), clock, Runnable::run);
        this.diary = new GangDiary(new Teller(clock, audience), clock);
        PlanPublisher publication = new PlanPublisher(
                new PlanPublisher.Ports(cluster, cluster, diary, cluster, recorder, WaitExplainer.SILENT, cluster),
                starter,
                PlanPublisher.Writers.all(Runnable::run),
                () -> pace.changed(clock.instant()));
        this.loop = new PlanningLoop(
                settings,
                clock,
                new PlanningLoop.Ports(() -> true, cluster, publication, recorder, NodeSupplier.NONE),
                starter,
                UNRECORDED);
        new DemoEvents(cluster, clock, audience, random, new DemoSubmissions(random, nodes)).begin(setting.nodes / 2);
        recorder.leads(true);
    }

    /** Tells an audience what is told of gangs. */
    private record Teller(StepClock clock, DemoListener audience) implements EventRecorder {
        @Override
        public void announce(GangRecord standing, Announcement announcement) {
            audience.told(
                    clock.instant(),
                    announcement.reason().key(),
                    standing.gang().toString(),
                    announcement.message());
        }

        @Override
        public void notice(ClusterView.Notice notice) {
            audience.told(clock.instant(), notice.reason(), notice.kind() + " " + notice.name(), notice.message());
        }
    }

    /** The cluster. */
    public ClusterView view() {
        return cluster;
    }

    /** What was told of its gangs. */
    GangDiary diary() {
        return diary;
    }

    /** The loop that plans it. */
    public PlanningLoop loop() {
        return loop;
    }

    /** The time there, which does not change between steps. */
    public InstantSource clock() {
        return clock;
    }

    /** When the next step is due. */
    public Instant next() {
        Instant now = clock.instant();
        Instant cycle = pace.next(now);
        Instant next = cycle.isBefore(now) ? now : cycle;
        OptionalLong happening = cluster.next();
        if (happening.isPresent()) {
            next = earlier(next, Instant.ofEpochSecond(happening.getAsLong()));
        }
        Instant start = due;
        return start == null ? next : earlier(next, start);
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /** Takes the next step; whether anything changed that is shown. */
    public boolean step() {
        Instant now = next();
        clock.passTo(now.isBefore(clock.instant()) ? clock.instant() : now);
        boolean changed = cluster.happen();
        if (changed) {
            pace.changed(clock.instant());
        }
        if (!clock.instant().isBefore(pace.next(clock.instant()))) {
            pace.begins(clock.instant());
            loop.cycle();
            pace.ends(clock.instant());
            pace.needs(loop.deadline());
            changed = true;
        }
        Instant again = starter.look(clock.instant());
        // A starter that asks to be looked at again at once waits for something that happens in this second.
        due = again == null || again.isAfter(clock.instant())
                ? again
                : clock.instant().plus(Duration.ofMillis(100));
        return changed;
    }
}
