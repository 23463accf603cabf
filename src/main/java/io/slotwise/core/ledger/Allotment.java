package io.slotwise.core.ledger;

import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The most that the gangs of a namespace that start in one period may cost together. */
public record Allotment(Money amount, Period period) {
    /** The input of {@link #parse}, for messages after {@code expected}. */
    public static final String WORDS =
            "AMOUNT/PERIOD such as 500/month: an amount that is not negative, at most 1000000000 and with at most six "
                    + "decimals, and day, week or month (UTC)";

    private static final String EXPECTED = "expected " + WORDS;

    /** Parses {@code AMOUNT/PERIOD}. Throws otherwise, with what was expected. */
    public static Allotment parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(EXPECTED);
        }
        String word = text.substring(slash + 1).strip();
        Optional<Period> period =
                Stream.of(Period.values()).filter(p -> p.key().equals(word)).findFirst();
        Money amount;
        try {
            amount = Money.parse(text.substring(0, slash));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        return new Allotment(amount, period.orElseThrow(() -> new IllegalArgumentException(EXPECTED)));
    }

    /** Returns the periods that share a second with {@code [from, to)}, in order. */
    public List<Interval> periods(long from, long to) {
        List<Interval> periods = new ArrayList<>();
        for (long second = from; second < to; second = periods.getLast().end()) {
            periods.add(period.holding(second));
        }
        return periods;
    }

    /** Returns the written form without trailing zeros: {@code 500/month}. */
    @Override
    public String toString() {
        return amount.brief() + "/" + period.key();
    }
}
