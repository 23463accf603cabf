package io.slotwise.demo;

import io.slotwise.core.plan.FirstPromise;
import io.slotwise.live.port.EventRecorder;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Prints the events of a demo, a line each, and their totals at the end. Thread-safe. */
public final class DemoLog implements DemoListener {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Set<String> WAITING = Set.of(
            EventRecorder.Reason.OVER_BUDGET.key(),
            EventRecorder.Reason.NO_WINDOW.key(),
            EventRecorder.Reason.INVALID_REQUEST.key());

    private final PrintStream out;
    private final Instant begin;
    private final Supplier<FirstPromise.Outcomes> outcomes;
    private final SortedMap<String, Integer> happened = new TreeMap<>();
    private final Map<String, String> latest = new HashMap<>();
    private Instant last;

    public DemoLog(PrintStream out, Instant begin, Supplier<FirstPromise.Outcomes> outcomes) {
        this.out = out;
        this.begin = begin;
        this.outcomes = outcomes;
        this.last = begin;
    }

    @Override
    public synchronized void told(Instant when, String what, String subject, String words) {
        last = when;
        if (what.equals(latest.put(subject, what)) && WAITING.contains(what)) {
            return;
        }
        happened.merge(what, 1, Integer::sum);
        out.printf("%s  %-14s  %-20s  %s%n", TIME.format(when), what, subject, words);
    }

    public synchronized void paused() {
        out.printf("%s  paused; the board stays. Ctrl-C ends it.%n", TIME.format(last));
        out.flush();
    }

    public synchronized void close() {
        Duration lived = Duration.between(begin, last);
        out.printf(
                "%n%dh%02dm of the demo: %s.%n",
                lived.toHours(), lived.toMinutesPart(), outcomes.get().line());
        StringBuilder counts = new StringBuilder();
        happened.forEach((what, count) -> counts.append(counts.isEmpty() ? "" : ", ")
                .append(what)
                .append(' ')
                .append(count));
        out.println(counts);
        out.flush();
    }
}
