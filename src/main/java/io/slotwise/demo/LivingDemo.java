package io.slotwise.demo;

import io.slotwise.core.cluster.Node;
import io.slotwise.live.Announcer;
import io.slotwise.live.ClusterView;
import io.slotwise.live.CurrentSettings;
import io.slotwise.live.Diary;
import io.slotwise.live.Explainer;
import io.slotwise.live.GangStarter;
import io.slotwise.live.Pace;
import io.slotwise.live.PlanningLoop;
import io.slotwise.live.Publication;
import io.slotwise.live.Recorder;
import io.slotwise.live.Standing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A living cluster and the loop that plans it, from step to step: each step is the next second in which anything is due. It does not wait for
 * anybody; who shows it does.
 */
public final class LivingDemo {
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final StepClock clock;
    private final LivingCluster cluster;
    private final Pace pace;
    private final PlanningLoop loop;
    private final GangStarter starter;
    private final Diary diary;

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
            Setting setting, CurrentSettings settings, Recorder recorder, Audience audience, RandomGenerator random) {
        long begin = setting.begin.getEpochSecond();
        List<Node> nodes = Fleet.nodes(setting.nodes, begin);
        this.clock = new StepClock(setting.begin);
        this.cluster = new LivingCluster(nodes, clock, audience::opened);
        this.pace = new Pace(settings);
        this.starter = new GangStarter(
                settings, () -> true, new GangStarter.Ports(cluster, cluster, cluster, cluster), clock, Runnable::run);
        this.diary = new Diary(new Teller(clock, audience), clock);
        Publication publication = new Publication(
                new Publication.Ports(cluster, cluster, diary, cluster, recorder, Explainer.SILENT, cluster),
                starter,
                Runnable::run,
                () -> pace.changed(clock.instant()));
        this.loop = new PlanningLoop(settings, clock, () -> true, cluster, publication, recorder, starter, UNRECORDED);
        new Happenings(cluster, clock, audience, random, new Submissions(random, nodes)).begin(setting.nodes / 2);
        recorder.leads(true);
    }

    /** Tells an audience what is told of gangs. */
    private record Teller(StepClock clock, Audience audience) implements Announcer {
        @Override
        public void announce(Standing standing, Announcement announcement) {
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
    Diary diary() {
        return diary;
    }

    /** The loop that plans it. */
    public PlanningLoop loop() {
        return loop;
    }

    /** The time there, which stands still between steps. */
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
        // Whoever asks to be looked at again at once waits for something that happens in this second.
        due = again == null || again.isAfter(clock.instant())
                ? again
                : clock.instant().plus(Duration.ofMillis(100));
        return changed;
    }
}
