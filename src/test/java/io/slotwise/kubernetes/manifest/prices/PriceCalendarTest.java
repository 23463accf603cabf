package io.slotwise.kubernetes.manifest.prices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.work.Steps;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriceCalendarTest {
    private static final long FROM = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    private static final long DAY = 24 * 3600;

    @Test
    void anIntervalHasItsPriceAndTheRestThePlainOne() {
        StepFunction price = over("0.5@2030-01-01T10:00:00Z/2030-01-01T12:00:00Z", 2);

        assertThat(price)
                .isEqualTo(StepFunction.startingAt(2_000_000)
                        .then(FROM + 10 * 3600, 500_000)
                        .then(FROM + 12 * 3600, 2_000_000)
                        .build());
    }

    @Test
    void anIntervalMayBeGivenByItsDuration() {
        assertThat(over("0.5@2030-01-01T10:00:00Z/PT2H", 2))
                .isEqualTo(over("0.5@2030-01-01T10:00:00Z/2030-01-01T12:00:00Z", 2));
    }

    @Test
    void cronRepeatsInUtcAndReachesOverMidnight() {
        StepFunction price = over("0.25@0 22 * * */PT8H", 1);

        assertThat(price.at(FROM)).isEqualTo(250_000);
        assertThat(price.at(FROM + 6 * 3600 - 1)).isEqualTo(250_000);
        assertThat(price.at(FROM + 6 * 3600)).isEqualTo(1_000_000);
        assertThat(price.at(FROM + 22 * 3600)).isEqualTo(250_000);
        assertThat(price.at(FROM + DAY + 6 * 3600)).isEqualTo(1_000_000);
        assertThat(price.pieces()).isEqualTo(9);
    }

    @Test
    void cronIsSplitAtTheLastSlash() {
        StepFunction price = over("3@*/30 * * * */10m", 1);

        assertThat(price.at(FROM + 599)).isEqualTo(3_000_000);
        assertThat(price.at(FROM + 600)).isEqualTo(1_000_000);
        assertThat(price.at(FROM + 1800)).isEqualTo(3_000_000);
    }

    @Test
    void cronThatCoversEverySecondIsOnePiece() {
        assertThat(over("3@* * * * */PT1M", 1).pieces()).isLessThanOrEqualTo(3);
    }

    @Test
    void theFirstItemThatCoversAnInstantWins() {
        String noon = "5@2030-01-01T12:00:00Z/PT1H";
        String day = "2@2030-01-01T08:00:00Z/PT10H";

        assertThat(over(noon + "; " + day + ";", 1))
                .isEqualTo(StepFunction.startingAt(1_000_000)
                        .then(FROM + 8 * 3600, 2_000_000)
                        .then(FROM + 12 * 3600, 5_000_000)
                        .then(FROM + 13 * 3600, 2_000_000)
                        .then(FROM + 18 * 3600, 1_000_000)
                        .build());
        assertThat(over(day + ";" + noon, 1).at(FROM + 12 * 3600)).isEqualTo(2_000_000);
    }

    /**
     * In Berlin the clock goes from 2 to 3 on 31 March 2030 at 01:00 UTC, and from 3 to 2 on 27 October at 01:00 UTC.
     */
    @ParameterizedTest
    @CsvSource({
        "0 22 * * */PT8H, 2030-01-15, 21:00, 05:00",
        "0 22 * * */PT8H, 2030-03-30, 21:00, 04:00",
        "0 22 * * */PT8H, 2030-07-15, 20:00, 04:00",
        "0 22 * * */PT8H, 2030-10-26, 20:00, 05:00"
    })
    void aNightLastsFromTenToSixByTheClockOfItsZone(String night, String day, String from, String until) {
        long begin = Instant.parse(day + "T" + from + ":00Z").getEpochSecond();
        long end = Instant.parse(day + "T" + until + ":00Z").getEpochSecond() + DAY;

        StepFunction price = around(begin, "CRON_TZ=Europe/Berlin 0.25@" + night);

        assertThat(price.at(begin - 1)).isEqualTo(1_000_000);
        assertThat(price.at(begin)).isEqualTo(250_000);
        assertThat(price.at(end - 1)).isEqualTo(250_000);
        assertThat(price.at(end)).isEqualTo(1_000_000);
    }

    @Test
    void aPriceSkipsTheMissingHourInSpringAndCoversBothHoursInAutumn() {
        long spring = Instant.parse("2030-03-31T01:00:00Z").getEpochSecond();
        long autumn = Instant.parse("2030-10-27T01:00:00Z").getEpochSecond();
        String calendar = "CRON_TZ=Europe/Berlin 3@30 2 * * */30m";

        StepFunction inSpring = around(spring, calendar);
        StepFunction inAutumn = around(autumn, calendar);

        for (long t = spring - 3 * 3600; t < spring + 3 * 3600; t += 600) {
            assertThat(inSpring.at(t)).isEqualTo(1_000_000);
        }
        for (long begin : new long[] {autumn - 1800, autumn + 1800}) {
            assertThat(inAutumn.at(begin - 1)).isEqualTo(1_000_000);
            assertThat(inAutumn.at(begin)).isEqualTo(3_000_000);
            assertThat(inAutumn.at(begin + 1799)).isEqualTo(3_000_000);
            assertThat(inAutumn.at(begin + 1800)).isEqualTo(1_000_000);
        }
    }

    @Test
    void instantsWithoutAnOffsetAreThoseOfTheZoneAndOthersStayAsTheyAre() {
        long noon = Instant.parse("2030-07-01T10:00:00Z").getEpochSecond();
        String local = "CRON_TZ=Europe/Berlin 5@2030-07-01T12:00:00/PT1H";

        assertThat(around(noon, local)).isEqualTo(around(noon, "5@2030-07-01T10:00:00Z/PT1H"));
        assertThat(around(noon, "CRON_TZ=Europe/Berlin 5@2030-07-01T12:00:00+02:00/PT1H"))
                .isEqualTo(around(noon, local));
    }

    private static StepFunction around(long second, String calendar) {
        return PriceCalendar.parse(calendar).over(1_000_000, second - 2 * DAY, second + 2 * DAY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CRON_TZ=Europe/Berln 1@0 22 * * */PT8H",
                "CRON_TZ=Europe/Berlin",
                "CRON_TZ= 1@0 22 * * */PT8H",
                "CRON_TZ=+25 1@0 22 * * */PT8H"
            })
    void refusesAZoneThatDoesNotExist(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceCalendar.parse(text))
                .withMessageStartingWith(
                        "expected CRON_TZ=ZONE and a space, with a zone of the IANA time zone database such as "
                                + "Europe/Berlin, not (");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | expected PRICE@INTERVAL",
                "0.5 | expected PRICE@INTERVAL",
                "0.5@2030-01-01T10:00:00Z | expected PRICE@INTERVAL",
                "cheap@0 22 * * */PT8H | expected a decimal number such as 1.25",
                "-1@0 22 * * */PT8H | expected a number that is not negative",
                "1000001@0 22 * * */PT8H | expected at most 1000000",
                "0.5@0 22 * */PT8H | expected CRON/DURATION with five cron fields",
                "0.5@0 25 * * */PT8H | expected CRON/DURATION with five cron fields",
                "0.5@0 0 22 * * */PT8H | expected CRON/DURATION with five cron fields",
                "0.5@0 22 * * */soon | expected a duration in whole seconds",
                "0.5@0 22 * * */0s | expected a duration of at least 1s",
                "0.5@today/tomorrow | expected an ISO 8601 interval",
                "0.5@2030-01-02T00:00:00Z/2030-01-01T00:00:00Z | expected an interval whose start lies before its end",
                "1@0 22 * * */PT8H;x | expected PRICE@INTERVAL"
            })
    void refusesAnInvalidCalendar(String text, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceCalendar.parse(text))
                .withMessageStartingWith(expected)
                .withMessageContaining("in the item (");
    }

    @Test
    void everySecondHasThePriceThatTheCronExpressionSays() {
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            String cron = "%s %s %s %s %s"
                    .formatted(
                            field(random, 0, 59), field(random, 0, 23), field(random, 1, 28), "*", field(random, 0, 6));
            long duration = random.nextInt(1, 3) * (random.nextBoolean() ? 60L : random.nextBoolean() ? 3600 : DAY);
            long to = FROM + 4 * DAY + random.nextInt(86_400);
            ExecutionTime times = ExecutionTime.forCron(
                    new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX)).parse(cron));
            StepFunction.Builder expected = StepFunction.startingAt(0);
            long end = Long.MIN_VALUE;
            ZonedDateTime at = Instant.ofEpochSecond(FROM - duration).atZone(ZoneOffset.UTC);
            for (ZonedDateTime next = times.nextExecution(at).orElse(null);
                    next != null && next.toEpochSecond() < to;
                    next = times.nextExecution(next).orElse(null)) {
                long start = Math.max(next.toEpochSecond(), FROM);
                if (start > end && end > Long.MIN_VALUE) {
                    expected.then(end, 0);
                }
                expected.then(start, 1_000_000);
                end = Math.min(to, next.toEpochSecond() + duration);
            }
            if (end > Long.MIN_VALUE) {
                expected.then(end, 0);
            }

            assertThat(PriceCalendar.parse("1@%s/PT%dS".formatted(cron, duration))
                            .over(0, FROM, to))
                    .as("%s for %d s until %d", cron, duration, to)
                    .isEqualTo(expected.build());
        }
    }

    private static String field(Random random, int least, int most) {
        int first = random.nextInt(least, most + 1);
        return switch (random.nextInt(4)) {
            case 0 -> String.valueOf(first);
            case 1 -> first + "-" + random.nextInt(first, most + 1);
            case 2 -> "*/" + random.nextInt(1, Math.min(20, most + 1));
            default -> "*";
        };
    }

    @Test
    void aCalendarWithTooManyIntervalsIsRefusedUnexpandedAndOnlyOnce() {
        String text = IntStream.range(0, 9)
                .mapToObj(i -> "1@*/2 * * * */PT%dS".formatted(i + 1))
                .collect(Collectors.joining(";"));
        PriceCalendars calendars = new PriceCalendars();
        Interval span = new Interval(FROM, FROM + 60 * DAY);

        long steps = Steps.of(() -> {
            for (int node = 0; node < 1000; node++) {
                int price = node;
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> calendars.over(text, price, span))
                        .withMessage("expected at most 100000 intervals in the time that is planned");
            }
        });

        assertThat(steps).isLessThanOrEqualTo(PriceCalendar.MOST_INTERVALS);
    }

    @Test
    void aCalendarIsExpandedOnceWhateverThePlainPricesOfItsNodes() {
        PriceCalendars calendars = new PriceCalendars();
        Interval span = new Interval(FROM - DAY, FROM + 2 * DAY);
        String text = "0.25@0 22 * * */PT8H";
        long once = Steps.of(() -> calendars.over(text, 0, span));

        long others = Steps.of(() -> {
            for (int units = 1; units < 10; units++) {
                assertThat(calendars.over(text, units * 1_000_000L, span)).isEqualTo(over(text, units));
            }
        });

        assertThat(once).isPositive();
        assertThat(others).isEqualTo(9 * once); // those of the reference only
    }

    private static StepFunction over(String calendar, long plainUnits) {
        return PriceCalendar.parse(calendar).over(plainUnits * 1_000_000, FROM - DAY, FROM + 2 * DAY);
    }
}
