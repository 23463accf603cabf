package io.slotwise.kubernetes.manifest.prices;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.field.CalendarClock;
import io.slotwise.kubernetes.manifest.field.Intervals;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A node's price over time: {@code PRICE@INTERVAL} items separated by semicolons. The first item that covers an instant
 * wins; outside all items the node's plain price applies.
 *
 * <p>INTERVAL is an ISO 8601 interval or {@code CRON/DURATION}, split at the last slash: the duration from every second
 * that the cron expression (five fields) names. A calendar that begins with {@code CRON_TZ=ZONE } uses the clock of
 * that zone ({@link CalendarClock}) for cron expressions, durations and instants without an offset. Any other uses UTC.
 * Amounts of queues over time are written in the same way, with {@link Values} of their own.
 */
public final class PriceCalendar {
    static final Money HIGHEST = new Money(1_000_000 * Money.MICROS_PER_UNIT);

    private static final Values PRICES = new Values(
            text -> price(text).micros(),
            "expected PRICE@INTERVAL such as 0.5@0 22 * * */PT8H or 0.5@2030-01-01T22:00:00Z/PT8H");

    private static final String EXPECTED_CRON =
            "expected CRON/DURATION with five cron fields such as 0 22 * * */PT8H, or an ISO 8601 interval";

    static final int MOST_ITEMS = 100;
    /** The most intervals of all items together in the planned time. */
    static final int MOST_INTERVALS = 100_000;

    private static final long HOUR = 3600;
    private static final long DAY = 24 * HOUR;

    private final List<Item> items;

    private PriceCalendar(List<Item> items) {
        this.items = items;
    }

    private record Item(long value, When when) {}

    /**
     * The values of a calendar's items.
     *
     * @param parser throws an IllegalArgumentException whose message says what was expected
     * @param expected how an item is written, with an example
     */
    public record Values(ToLongFunction<String> parser, String expected) {}

    private sealed interface When {
        /**
         * Returns the intervals that touch {@code [from, to)}, in ascending order of start.
         *
         * @throws IllegalArgumentException if there are more than {@code most}
         */
        List<Interval> inside(long from, long to, int most);
    }

    private record Once(List<Interval> intervals) implements When {
        @Override
        public List<Interval> inside(long from, long to, int most) {
            Interval wholeInterval = new Interval(from, to);
            return intervals.stream()
                    .filter(interval -> interval.overlaps(wholeInterval))
                    .toList();
        }
    }

    /**
     * The same duration from every second of a cron expression.
     *
     * @param days the midnights of the named days
     * @param ofDay the durations from the named seconds of a day, with touching ones merged
     */
    private record Repeated(CalendarClock clock, ExecutionTime days, List<Interval> ofDay) implements When {
        static Repeated of(CalendarClock clock, String cron, long duration) {
            String[] fields = cron.split("\\s+");
            cron(String.join(" ", fields));
            List<Interval> ofDay = new ArrayList<>();
            for (long hour : seconds("0 %s * * *".formatted(fields[1]), DAY)) {
                for (long minute : seconds("%s * * * *".formatted(fields[0]), HOUR)) {
                    CalendarClock.join(ofDay, hour + minute, hour + minute + duration);
                }
            }
            String days = "0 0 %s %s %s".formatted(fields[2], fields[3], fields[4]);
            return new Repeated(clock, cron(days), List.copyOf(ofDay));
        }

        /** Returns the seconds since the epoch, before {@code until}, that a cron expression names. */
        private static List<Long> seconds(String cron, long until) {
            ExecutionTime times = cron(cron);
            List<Long> seconds = new ArrayList<>();
            for (long next = next(times, -1); next < until; next = next(times, next)) {
                seconds.add(next);
            }
            return seconds;
        }

        private static long next(ExecutionTime times, long second) {
            return times.nextExecution(Instant.ofEpochSecond(second).atZone(ZoneOffset.UTC))
                    .map(ZonedDateTime::toEpochSecond)
                    .orElse(Long.MAX_VALUE);
        }

        @Override
        public List<Interval> inside(long from, long to, int most) {
            return clock.seconds(this::shown, from, to, most);
        }

        /** Returns the intervals in clock time. They are counted before they are made. */
        private List<Interval> shown(long from, long to, int most) {
            long first = ofDay.getFirst().start();
            List<Long> midnights = new ArrayList<>();
            for (long day = next(days, from - ofDay.getLast().end()); day < to - first; day = next(days, day)) {
                midnights.add(day);
                if ((long) midnights.size() * ofDay.size() > most) {
                    throw new IllegalArgumentException(
                            "expected at most %d intervals in the time that is planned".formatted(MOST_INTERVALS));
                }
            }
            Steps.add(Steps.Kind.CALENDARS, (long) midnights.size() * ofDay.size());
            List<Interval> found = new ArrayList<>();
            // Neighbours are merged, so that a price that applies all day is one piece.
            midnights.forEach(day -> ofDay.stream()
                    .filter(interval -> day + interval.end() > from && day + interval.start() < to)
                    .forEach(interval -> CalendarClock.join(found, day + interval.start(), day + interval.end())));
            return found;
        }
    }

    /**
     * Parses a calendar of prices.
     *
     * @throws IllegalArgumentException with a message that says what was expected, and of which item
     */
    public static PriceCalendar parse(String text) {
        return parse(text, PRICES);
    }

    /**
     * Parses a calendar of other values.
     *
     * @throws IllegalArgumentException with a message that says what was expected, and of which item
     */
    public static PriceCalendar parse(String text, Values values) {
        CalendarClock clock = CalendarClock.of(text);
        List<Item> items = new ArrayList<>();
        for (String part : clock.calendar().split(";", -1)) {
            String item = part.strip();
            if (item.isEmpty() && !items.isEmpty()) {
                continue;
            }
            if (items.size() == MOST_ITEMS) {
                throw new IllegalArgumentException("expected at most %d items".formatted(MOST_ITEMS));
            }
            try {
                items.add(item(item, clock, values));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "%s in the item (%s)".formatted(e.getMessage(), SafeText.value(item)), e);
            }
        }
        return new PriceCalendar(List.copyOf(items));
    }

    /** Parses a price per hour, at most {@link #HIGHEST}. */
    public static Money price(String text) {
        Money price = Money.parse(text);
        if (price.compareTo(HIGHEST) > 0) {
            throw new IllegalArgumentException("expected at most " + HIGHEST.brief());
        }
        return price;
    }

    /**
     * Returns the price as a step function, exact on {@code [from, to)}. O(k log k) with k intervals inside, times the
     * number of items.
     *
     * @param plain the price outside all items, millionths per hour, or another value
     * @param from first second, since the epoch
     * @param to first second after
     * @throws IllegalArgumentException if there are more than {@link #MOST_INTERVALS}
     */
    public StepFunction over(long plain, long from, long to) {
        List<List<Interval>> intervals = new ArrayList<>();
        List<Long> bounds = new ArrayList<>();
        for (Item item : items) {
            List<Interval> inside = item.when.inside(from, to, MOST_INTERVALS - bounds.size() / 2);
            intervals.add(inside);
            for (Interval interval : inside) {
                bounds.add(Math.max(interval.start(), from));
                bounds.add(Math.min(interval.end(), to));
            }
        }
        StepFunction.Builder builder = StepFunction.startingAt(plain);
        int[] cursor = new int[items.size()];
        for (long t :
                bounds.stream().mapToLong(Long::longValue).sorted().distinct().toArray()) {
            builder.then(t, t == to ? plain : at(t, intervals, cursor, plain));
        }
        return builder.build();
    }

    private long at(long t, List<List<Interval>> intervals, int[] cursor, long plain) {
        for (int i = 0; i < cursor.length; i++) {
            List<Interval> inside = intervals.get(i);
            while (cursor[i] < inside.size() && inside.get(cursor[i]).end() <= t) {
                cursor[i]++;
            }
            if (cursor[i] < inside.size() && inside.get(cursor[i]).start() <= t) {
                return items.get(i).value;
            }
        }
        return plain;
    }

    private static Item item(String text, CalendarClock clock, Values values) {
        int at = text.indexOf('@');
        int slash = text.lastIndexOf('/');
        if (at < 0 || slash < at) {
            throw new IllegalArgumentException(values.expected);
        }
        long value = values.parser.applyAsLong(text.substring(0, at));
        String interval = text.substring(at + 1).strip();
        String left = text.substring(at + 1, slash).strip();
        return new Item(
                value,
                left.indexOf(' ') < 0
                        ? new Once(Intervals.parse(interval, clock))
                        : Repeated.of(clock, left, Durations.parsePositive(text.substring(slash + 1))));
    }

    private static ExecutionTime cron(String fields) {
        try {
            return ExecutionTime.forCron(
                    new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse(fields));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED_CRON, e);
        }
    }
}
