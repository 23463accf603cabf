package io.slotwise.it.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;

/**
 * The faults of a run: a pure function of the seed and the number of gangs, so that a run can be repeated.
 *
 * @param span the time in which gangs arrive and faults begin
 * @param episodes by time
 * @param steps at most one for each gang, by the gang's number
 */
public record FaultPlan(long seed, int gangs, Duration span, List<Episode> episodes, List<StepFault> steps) {
    private static final Duration LEAST_SPAN = Duration.ofSeconds(80);
    private static final Duration BETWEEN_GANGS = Duration.ofMillis(300);
    private static final Duration BETWEEN_EPISODES = Duration.ofSeconds(8);
    /** A gang out of this many has a fault of its own. */
    private static final int WITH_A_STEP = 4;

    /** A fault that lasts for a while. */
    public enum Kind {
        /** SIGKILL of Slotwise, which is restarted at once. */
        SLOTWISE_KILLED,
        /** SIGKILL between the write that makes a start durable and the first of its bindings. */
        KILLED_BEFORE_BINDING,
        /** SIGKILL between the first and the last binding of a start. */
        KILLED_WHILE_BINDING,
        /** A binding of a start is refused. */
        BINDING_REFUSED,
        /** A binding of a start has its effect and no answer. */
        BINDING_UNANSWERED,
        /**
         * A pod is deleted and made again with the same name between the write that makes its start durable and its
         * binding.
         */
        MEMBER_REPLACED,
        /** SIGKILL of kube-scheduler, which is restarted at once. */
        SCHEDULER_KILLED,
        /** All connections to the API server break, and new ones do, too. */
        API_AWAY,
        /** Calls are answered 409, 429 or 500 and have no effect. */
        API_ERRORS,
        /** Calls take up to some seconds. */
        API_SLOW,
        /** The API server's store stops and continues in short steps. */
        STORE_SLOW,
        /** The connection breaks before a call has had its effect. */
        API_DROPS,
        /** The connection breaks in the middle of an answer. */
        API_TRUNCATES,
        /** A write has its effect and no answer. */
        REPLIES_LOST,
        /** All watches end. */
        WATCHES_BREAK,
        /** Watches deliver nothing for a while, then everything at once. */
        WATCHES_STALL,
        /** The present watches of one kind deliver nothing for long, and Slotwise is not told. */
        WATCHES_HANG,
        /** All calls are answered 429 with Retry-After. */
        API_BUSY,
        /** All watches end, and neither watches nor lists can continue from their last version. */
        CHANGES_FORGOTTEN,
        /** kube-scheduler reaches Slotwise, but gets no answer before its timeout. */
        EXTENDER_AWAY,
        /** Bindings by kube-scheduler and at the API server come twice. */
        BINDS_TWICE,
        /** Bindings by kube-scheduler come late and in another order. */
        BINDS_REORDERED,
        /** A node is deleted, its pods go, and it comes back. */
        NODE_GONE,
        /** Several nodes alternate between ready and not ready. */
        NODES_FLAP,
        /** A node loses the label that gangs select, and gets it back. */
        LABELS_GONE,
        CLOCK_AHEAD,
        CLOCK_BEHIND,
        /**
         * The leader is frozen in the middle of a start until another replica leads. Then both run, and the first one's
         * bindings arrive.
         */
        TWO_LEADERS
    }

    /** A step in a gang's life. */
    public enum Step {
        SEEN,
        PROMISED,
        STARTING,
        RUNNING,
        COMPLETED
    }

    /** A change of a gang. */
    public enum Action {
        /** A pod is deleted, and its owner makes it again. */
        DELETE_POD,
        /** All pods are deleted for good. */
        DELETE_GANG,
        /** The budget becomes 0 and is restored. */
        TAKE_BUDGET,
        /** The runtime is changed. */
        EDIT_RUNTIME
    }

    /**
     * A fault at a time.
     *
     * @param at from the beginning of the run
     * @param strength percent of the calls, or a number that selects a node, or seconds of a clock, or milliseconds of
     *     a step
     */
    public record Episode(Duration at, Kind kind, Duration lasts, int strength) {
        @Override
        public String toString() {
            return "%.1fs %s for %.1fs (%d)"
                    .formatted(at.toMillis() / 1000.0, kind, lasts.toMillis() / 1000.0, strength);
        }
    }

    /**
     * A fault of one gang once it reaches the step.
     *
     * @param pod selects a pod, modulo their number
     */
    public record StepFault(int gang, Step step, Action action, int pod) {
        @Override
        public String toString() {
            return "g%04d %s %s".formatted(gang, step, action);
        }
    }

    /** Draws the plan. Every kind of episode comes once before any comes again. */
    public static FaultPlan of(long seed, int gangs) {
        if (gangs < 1) {
            throw new IllegalArgumentException("The number of gangs (%d) must be positive.".formatted(gangs));
        }
        RandomGenerator random = generator(seed);
        Duration wanted = BETWEEN_GANGS.multipliedBy(gangs);
        Duration span = wanted.compareTo(LEAST_SPAN) < 0 ? LEAST_SPAN : wanted;
        return new FaultPlan(seed, gangs, span, episodes(random, span), steps(random, gangs));
    }

    /** The generator of a seed, also for other parts of a run. */
    static RandomGenerator generator(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private static List<Episode> episodes(RandomGenerator random, Duration span) {
        int kinds = Kind.values().length;
        int rounds = Math.max(1, (int) (span.toMillis() / BETWEEN_EPISODES.toMillis() / kinds));
        Duration between = span.dividedBy((long) rounds * kinds);
        List<Episode> episodes = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<Kind> order = new ArrayList<>(List.of(Kind.values()));
            Collections.shuffle(order, random);
            for (Kind kind : order) {
                Duration at = between.multipliedBy(episodes.size()).plusMillis(random.nextLong(between.toMillis()));
                episodes.add(episode(random, at, kind));
            }
        }
        episodes.sort(Comparator.comparing(Episode::at));
        return List.copyOf(episodes);
    }

    private static Episode episode(RandomGenerator random, Duration at, Kind kind) {
        return switch (kind) {
            case SLOTWISE_KILLED, SCHEDULER_KILLED, WATCHES_BREAK -> new Episode(at, kind, Duration.ZERO, 0);
            case KILLED_BEFORE_BINDING, KILLED_WHILE_BINDING, BINDING_REFUSED, BINDING_UNANSWERED, MEMBER_REPLACED ->
                new Episode(at, kind, Duration.ZERO, 0);
            case API_AWAY -> new Episode(at, kind, millis(random, 1000, 8000), random.nextInt(3));
            case API_ERRORS, API_DROPS, API_TRUNCATES, REPLIES_LOST ->
                new Episode(at, kind, millis(random, 2000, 7000), random.nextInt(10, 60));
            case API_SLOW -> new Episode(at, kind, millis(random, 2000, 7000), random.nextInt(30, 100));
            case WATCHES_STALL -> new Episode(at, kind, millis(random, 2000, 12_000), 0);
            case WATCHES_HANG -> new Episode(at, kind, millis(random, 35_000, 45_000), random.nextInt(1000));
            case API_BUSY -> new Episode(at, kind, millis(random, 3000, 9000), 100);
            case CHANGES_FORGOTTEN -> new Episode(at, kind, millis(random, 2000, 7000), random.nextInt(40, 90));
            case EXTENDER_AWAY -> new Episode(at, kind, millis(random, 32_000, 36_000), 0);
            case BINDS_TWICE, BINDS_REORDERED ->
                new Episode(at, kind, millis(random, 4000, 10_000), random.nextInt(50, 100));
            case STORE_SLOW -> new Episode(at, kind, millis(random, 3000, 8000), random.nextInt(200, 900));
            case NODES_FLAP -> new Episode(at, kind, millis(random, 4000, 9000), random.nextInt(1000));
            case NODE_GONE, LABELS_GONE -> new Episode(at, kind, millis(random, 3000, 12_000), random.nextInt(1000));
            case CLOCK_AHEAD, CLOCK_BEHIND -> new Episode(at, kind, millis(random, 3000, 9000), random.nextInt(1, 8));
            case TWO_LEADERS -> new Episode(at, kind, millis(random, 2000, 4000), 0);
        };
    }

    private static Duration millis(RandomGenerator random, int least, int below) {
        return Duration.ofMillis(random.nextInt(least, below));
    }

    private static List<StepFault> steps(RandomGenerator random, int gangs) {
        List<StepFault> steps = new ArrayList<>();
        for (int gang = 0; gang < gangs; gang += 1 + random.nextInt(2 * WITH_A_STEP - 1)) {
            Step step = Step.values()[steps.size() % Step.values().length];
            int pod = random.nextInt(64);
            steps.add(new StepFault(gang, step, action(random, step), pod));
        }
        return List.copyOf(steps);
    }

    private static Action action(RandomGenerator random, Step step) {
        return switch (step) {
            case SEEN, RUNNING, COMPLETED -> random.nextInt(3) == 0 ? Action.DELETE_GANG : Action.DELETE_POD;
            case PROMISED, STARTING -> Action.values()[random.nextInt(Action.values().length)];
        };
    }

    @Override
    public String toString() {
        return "Faults of seed %d for %d gangs over %d s:%n%s%nof gangs: %s"
                .formatted(
                        seed,
                        gangs,
                        span.toSeconds(),
                        episodes.stream().map(Episode::toString).collect(Collectors.joining("\n")),
                        steps.stream().map(StepFault::toString).collect(Collectors.joining(", ")));
    }
}
