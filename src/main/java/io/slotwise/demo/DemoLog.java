package io.slotwise.demo;

import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.record.GangRecord;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Writes down what happens in a demo, a line each, and at its end how much of it there was; that a gang still waits for
 * the same reason is no news. Safe for threads.
 */
public final class DemoLog implements DemoListener {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Set<String> WAITING = Set.of(
            EventRecorder.Reason.OVER_BUDGET.key(),
            EventRecorder.Reason.NO_WINDOW.key(),
            EventRecorder.Reason.INVALID_REQUEST.key());

    private final PrintStream out;
    private final Instant begin;
    private final SortedMap<String, Integer> happened = new TreeMap<>();
    private final Map<String, String> latest = new HashMap<>();
    private Instant last;
    private int started;
    private int punctual;

    /** A chronicle that begins with a demo's first instant. */
    public DemoLog(PrintStream out, Instant begin) {
        this.out = out;
        this.begin = begin;
        this.last = begin;
    }

    @Override
    public synchronized void opened(GangRecord standing, long second) {
        started++;
        if (second == Objects.requireNonNull(standing.promise()).window().start()) {
            punctual++;
        }
    }

    @Override
    public synchronized void told(Instant when, String what, String whom, String words) {
        last = when;
        if (what.equals(latest.put(whom, what)) && WAITING.contains(what)) {
            return;
        }
        happened.merge(what, 1, Integer::sum);
        out.printf("%s  %-14s  %-20s  %s%n", TIME.format(when), what, whom, words);
    }

    /** Says that the demo stands still. */
    public synchronized void paused() {
        out.printf("%s  paused; the board stays. Ctrl-C ends it.%n", TIME.format(last));
        out.flush();
    }

    /** Says how much happened. */
    public synchronized void close() {
        Duration lived = Duration.between(begin, last);
        out.printf(
                "%n%dh%02dm of the demo: %d gangs started, %d of them in their promised second.%n",
                lived.toHours(), lived.toMinutesPart(), started, punctual);
        StringBuilder counts = new StringBuilder();
        happened.forEach((what, count) -> counts.append(counts.isEmpty() ? "" : ", ")
                .append(what)
                .append(' ')
                .append(count));
        out.println(counts);
        out.flush();
    }
}
