package io.slotwise.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;

/**
 * How long things take on the way from a plan to the barrier, learnt from the last times, so that a promised second is one that
 * can be kept: a fixed part, twice the longest of the last cycles until a window is published, then the longest of the last
 * launches, or more if more pods are on their way at the same time. A replica that has just begun knows none of these, and is
 * slow, so it begins with a guess.
 */
public final class Lead {
    private static final Duration PUBLISHED = Duration.ofMillis(300);
    private static final Duration SENT = Duration.ofMillis(400);
    private static final Duration MOST = Duration.ofSeconds(30);
    /** The longest that a gang is released before its start. */
    static final Duration LONGEST_LAUNCH = Duration.ofSeconds(10);

    private static final int REMEMBERED = 8;

    private static final int FEW_PODS = 8;

    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);
    private static final int CALLS_PER_POD = 3;
    private static final long FEWEST_PER_SECOND = 32;
    private static final long MOST_PER_SECOND = 500;

    private static final Duration FIRST_CYCLE = Duration.ofSeconds(1);
    private static final Duration FIRST_LAUNCH = Duration.ofSeconds(4);
    private static final Duration FIRST_POD = Duration.ofMillis(20);
    private static final Duration SLOWEST_POD = Duration.ofMillis(200);
    private static final Duration FASTEST_POD = Duration.ofMillis(1);

    private final ArrayDeque<Duration> cycles = new ArrayDeque<>(List.of(FIRST_CYCLE));
    private final ArrayDeque<Duration> launches = new ArrayDeque<>(List.of(FIRST_LAUNCH));
    private final ArrayDeque<Duration> perPod = new ArrayDeque<>(List.of(FIRST_POD));

    /** A cycle took this long. */
    public synchronized void took(Duration cycle) {
        remember(cycles, cycle);
    }

    /** Slotwise took this long to send {@code pods} pods on their way; kube-scheduler needs about as long for them again. */
    public synchronized void sent(int pods, Duration took) {
        rememberLaunch(pods, took.multipliedBy(2));
        rememberPod(pods, took.multipliedBy(2));
    }

    /** From the release of {@code pods} pods until they were all at the barrier, which was too late, it took this long. */
    public synchronized void late(int pods, Duration launch) {
        rememberLaunch(pods, launch);
        rememberPod(pods, launch.minus(SENT));
    }

    /** Pods were on their way that did not all come to the barrier in time. */
    public synchronized void failed() {
        remember(perPod, SLOWEST_POD);
    }

    /** Of many pods most of the time is theirs. */
    private void rememberLaunch(int pods, Duration together) {
        remember(launches, pods <= FEW_PODS ? together : shorter(SENT, together));
    }

    /** Of a few pods most of the time is not theirs. */
    private void rememberPod(int pods, Duration together) {
        Duration pod = together.dividedBy(Math.max(FEW_PODS, pods));
        remember(perPod, longer(FASTEST_POD, shorter(SLOWEST_POD, pod)));
    }

    private static void remember(ArrayDeque<Duration> last, Duration duration) {
        last.addLast(duration);
        if (last.size() > REMEMBERED) {
            last.removeFirst();
        }
    }

    /** The first second in which windows that are planned at {@code now} may start. */
    public synchronized long firstStart(Instant now) {
        Instant first = now.plus(shorter(MOST, published().plus(launch(0))));
        return first.getNano() == 0 ? first.getEpochSecond() : first.getEpochSecond() + 1;
    }

    /** When the first pod of a window that is planned at {@code now} can be sent on its way. */
    synchronized Instant ready(Instant now) {
        return now.plus(shorter(MOST, published().plus(SENT)));
    }

    private Duration published() {
        return PUBLISHED.plus(longest(cycles).multipliedBy(2));
    }

    /** From the release of {@code pods} pods until all of them are at the barrier. */
    public synchronized Duration launch(long pods) {
        return shorter(
                LONGEST_LAUNCH,
                longer(longest(launches), SENT.plus(longest(perPod).multipliedBy(pods))));
    }

    /**
     * How many pods the control plane takes. A binding is one of the three calls that a pod costs on its way, and half of each second is
     * left to whatever else there is to do.
     */
    synchronized Throughput throughput() {
        Duration pod = longest(perPod);
        long bound = HALF_A_SECOND.multipliedBy(CALLS_PER_POD).dividedBy(pod);
        return new Throughput(pod, LONGEST_LAUNCH, (int) Math.clamp(bound, FEWEST_PER_SECOND, MOST_PER_SECOND));
    }

    private static Duration longest(ArrayDeque<Duration> last) {
        return last.stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }
}
