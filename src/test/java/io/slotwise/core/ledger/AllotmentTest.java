package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllotmentTest {
    @Test
    void readsAnAmountAndAPeriod() {
        assertThat(Allotment.parse("12.50/day")).isEqualTo(new Allotment(Money.parse("12.5"), Period.DAY));
        assertThat(Allotment.parse(" 500 / week ")).isEqualTo(new Allotment(Money.parse("500"), Period.WEEK));
        assertThat(Allotment.parse("0/month")).hasToString("0/month");
        assertThat(Allotment.parse("1000000000/month").amount()).isEqualTo(Money.parse("1000000000"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "500",
                "/day",
                "500/",
                "500/year",
                "500/Day",
                "500/days",
                "-1/day",
                "1000000001/day",
                "0.0000001/day",
                "ten/day",
                "1/2/day",
                "500 per day",
                "500/day/"
            })
    void statesTheExpectedFormForInvalidInput(String text) {
        assertThatThrownBy(() -> Allotment.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected AMOUNT/PERIOD such as 500/month")
                .hasMessageEndingWith("and day, week or month (UTC)");
    }

    @ParameterizedTest
    @CsvSource({
        "DAY,   2030-06-15T23:59:59Z, 2030-06-15, 2030-06-16",
        "DAY,   2030-06-15T00:00:00Z, 2030-06-15, 2030-06-16",
        "DAY,   2028-02-28T12:00:00Z, 2028-02-28, 2028-02-29",
        "DAY,   1969-12-31T23:59:59Z, 1969-12-31, 1970-01-01",
        "WEEK,  2030-01-06T23:59:59Z, 2029-12-31, 2030-01-07",
        "WEEK,  2030-01-07T00:00:00Z, 2030-01-07, 2030-01-14",
        "WEEK,  2028-02-29T08:00:00Z, 2028-02-28, 2028-03-06",
        "MONTH, 2028-02-29T23:59:59Z, 2028-02-01, 2028-03-01",
        "MONTH, 2030-02-28T23:59:59Z, 2030-02-01, 2030-03-01",
        "MONTH, 2100-02-28T23:59:59Z, 2100-02-01, 2100-03-01",
        "MONTH, 2030-12-31T23:59:59Z, 2030-12-01, 2031-01-01",
        "MONTH, 2030-04-30T00:00:00Z, 2030-04-01, 2030-05-01"
    })
    void periodsFollowTheCalendar(Period period, Instant second, LocalDate start, LocalDate end) {
        assertThat(period.holding(second.getEpochSecond())).isEqualTo(new Interval(midnight(start), midnight(end)));
    }

    @Test
    void everySecondIsInTheOnePeriodThatHoldsIt() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 2000; i++) {
            long second = random.nextLong(-10_000_000_000L, 10_000_000_000L);
            for (Period period : Period.values()) {
                Interval holding = period.holding(second);

                assertThat(second).isBetween(holding.start(), holding.end() - 1);
                assertThat(period.holding(holding.start())).isEqualTo(holding);
                assertThat(period.holding(holding.end() - 1)).isEqualTo(holding);
                assertThat(period.holding(holding.end()).start()).isEqualTo(holding.end());
            }
            LocalDateTime week =
                    LocalDateTime.ofEpochSecond(Period.WEEK.holding(second).start(), 0, ZoneOffset.UTC);
            assertThat(week.getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
            LocalDateTime month =
                    LocalDateTime.ofEpochSecond(Period.MONTH.holding(second).start(), 0, ZoneOffset.UTC);
            assertThat(month.getDayOfMonth()).isEqualTo(1);
        }
    }

    @Test
    void theHorizonReachesIntoTheNextPeriods() {
        Allotment daily = Allotment.parse("1/day");
        long noon = midnight(LocalDate.of(2030, 1, 31)) + 43_200;

        List<Interval> periods = daily.periods(noon, noon + 86_400);

        assertThat(periods).containsExactly(Period.DAY.holding(noon), Period.DAY.holding(noon + 86_400));
        assertThat(daily.periods(noon, noon)).isEmpty();
        assertThat(daily.periods(noon, midnight(LocalDate.of(2030, 2, 1)))).hasSize(1);
    }

    private static long midnight(LocalDate date) {
        return date.atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    }
}
