package io.slotwise.config;

import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Spending;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What values a key of the policy takes.
 *
 * @param parser what a value means; it throws an {@link IllegalArgumentException} that says what was expected
 * @param schema the same for the chart's values, as JSON schema
 */
record KeyType<T extends @Nullable Object>(Function<String, T> parser, String schema) {
    private static final String NONE = "none";
    private static final String AUTO = "auto";
    private static final long MOST_PROCESSOR_SECONDS = Long.MAX_VALUE / 1000;

    /** Between 0 and 1, in millionths. */
    static final KeyType<Integer> FRACTION = new KeyType<>(text -> millionths(text, 1, 1), defined("fraction"));

    /** The same above 0. */
    static final KeyType<Integer> POSITIVE_FRACTION = new KeyType<>(KeyType::positive, defined("positiveFraction"));

    /** Up to ten times the whole, in millionths. */
    static final KeyType<Integer> PART = new KeyType<>(text -> millionths(text, 10, 1), defined("part"));

    /** Up to a thousand times, in millionths. */
    static final KeyType<Integer> TIMES = new KeyType<>(text -> millionths(text, 1000, 1), defined("times"));

    /** A probability up to 0.9, in millionths. */
    static final KeyType<Integer> RISK =
            new KeyType<>(KeyType::risk, "{\"type\":\"number\",\"minimum\":0,\"maximum\":0.9}");

    /** A weight between 0 and 1. */
    static final KeyType<Double> WEIGHT = new KeyType<>(text -> decimal(text, 1).doubleValue(), defined("fraction"));

    /** Money for an hour. */
    static final KeyType<Money> HOUR = new KeyType<>(ValueOfTime::parseHour, defined("valueOfTime"));

    /** Money; empty: {@code auto}. */
    static final KeyType<OptionalLong> COST =
            auto(text -> Cost.of(Money.parse(text)).microSecondsPerHour(), "limit");

    /** Seconds or a duration; empty: {@code auto}. */
    static final KeyType<OptionalLong> PROCESSOR_TIME = auto(
            text -> text.chars().allMatch(Character::isDigit) && !text.isEmpty()
                    ? number(text, 0, MOST_PROCESSOR_SECONDS)
                    : Durations.parse(text),
            "limit");

    /** Percent as millionths of the whole, rounded down so that a limit is never passed; empty: {@code auto}. */
    static final KeyType<OptionalLong> PERCENT = auto(text -> (long) millionths(text, 100, 100), "percent");

    static final KeyType<Boolean> FLAG = new KeyType<>(KeyType::trueOrFalse, "{\"type\":\"boolean\"}");

    static final KeyType<Currency> CURRENCY =
            new KeyType<>(KeyType::currency, "{\"type\":\"string\",\"pattern\":\"^[\\\\p{L}\\\\p{Sc}]{1,8}$\"}");

    /** The key of a node label. */
    static final KeyType<String> LABEL = new KeyType<>(KeyType::labelKey, "{\"type\":\"string\",\"minLength\":1}");

    /** Money in a period; null: no limit. */
    static final KeyType<@Nullable Spending> SPENDING = new KeyType<>(
            KeyType::spending,
            "{\"type\":\"string\",\"pattern\":\"^(none|[0-9]+(\\\\.[0-9]{1,6})?/(day|week|month))$\"}");

    /** A label selector in its text form; empty: all nodes. */
    static final KeyType<List<Requirement>> SELECTOR = new KeyType<>(LabelSelectors::parse, "{\"type\":\"string\"}");

    /** A price calendar as the annotation of a node has it. */
    static final KeyType<String> CALENDAR = new KeyType<>(
            text -> {
                PriceCalendar.parse(text);
                return text;
            },
            "{\"type\":\"string\",\"minLength\":1}");

    /** A list of mappings, each with a selector and a calendar; no plain value is one. */
    static final KeyType<String> TARIFFS = new KeyType<>(
            _ -> {
                throw new IllegalArgumentException("expected a list of mappings with nodes and calendar");
            },
            "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"nodes\",\"calendar\"],"
                    + "\"additionalProperties\":false,\"properties\":{\"nodes\":{\"type\":\"string\"},"
                    + "\"calendar\":{\"type\":\"string\",\"minLength\":1}}}}");

    /** A duration, in seconds. */
    static KeyType<Long> duration(long least, long most) {
        return new KeyType<>(
                text -> {
                    long seconds = Durations.parse(text);
                    if (seconds < least || seconds > most) {
                        throw new IllegalArgumentException("expected a duration between %s and %s"
                                .formatted(Durations.brief(least), Durations.brief(most)));
                    }
                    return seconds;
                },
                defined("duration"));
    }

    /** A whole number. */
    static KeyType<Integer> whole(int least, int most) {
        return new KeyType<>(text -> (int) number(text, least, most), wholeSchema(least, most));
    }

    /** A large whole number, not negative. */
    static KeyType<Long> large(long most) {
        return new KeyType<>(text -> number(text, 0, most), wholeSchema(0, most));
    }

    /** One of these, each by its key, in the order in which messages list them. */
    static <T> KeyType<T> choice(T[] choices, Function<T, String> key) {
        Map<String, T> byKey = new LinkedHashMap<>();
        Arrays.stream(choices).forEach(choice -> byKey.put(key.apply(choice), choice));
        return new KeyType<>(
                text -> {
                    T chosen = byKey.get(text);
                    if (chosen == null) {
                        throw new IllegalArgumentException("expected one of " + String.join(", ", byKey.keySet()));
                    }
                    return chosen;
                },
                byKey.keySet().stream()
                        .map("\"%s\""::formatted)
                        .collect(Collectors.joining(",", "{\"type\":\"string\",\"enum\":[", "]}")));
    }

    /** One of the values of an enumeration, by their names. */
    static <T extends Enum<T>> KeyType<T> named(T[] choices) {
        return choice(choices, KeyType::key);
    }

    /** The name of an enumeration's value in the policy. */
    static String key(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The same with another meaning of its values. */
    <R extends @Nullable Object> KeyType<R> map(Function<T, R> meaning) {
        return new KeyType<>(parser.andThen(meaning), schema);
    }

    /** The type of a list of such values, of which no single one is a value. */
    KeyType<T> list() {
        String expected = expected().replaceFirst("^one", "expected a list");
        return new KeyType<>(
                _ -> {
                    throw new IllegalArgumentException(expected);
                },
                "{\"type\":\"array\",\"items\":%s,\"uniqueItems\":true,\"minItems\":1}".formatted(schema));
    }

    /** The same of which the chart takes less. */
    KeyType<T> inTheChart(String narrower) {
        return new KeyType<>(parser, narrower);
    }

    /** What it says that it expects. */
    String expected() {
        try {
            parser.apply("");
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage()).replaceFirst("^expected ", "");
        }
        throw new IllegalStateException("An empty value must be refused.");
    }

    private static String defined(String name) {
        return "{\"$ref\":\"#/$defs/%s\"}".formatted(name);
    }

    private static String wholeSchema(long least, long most) {
        return "{\"type\":\"integer\",\"minimum\":%d,\"maximum\":%d}".formatted(least, most);
    }

    private static KeyType<OptionalLong> auto(Function<String, Long> figure, String schema) {
        return new KeyType<>(
                text -> text.equals(AUTO) ? OptionalLong.empty() : OptionalLong.of(figure.apply(text)),
                defined(schema));
    }

    private static int positive(String text) {
        int part = millionths(text, 1, 1);
        if (part == 0) {
            throw new IllegalArgumentException("expected a number above 0 and up to 1");
        }
        return part;
    }

    private static int risk(String text) {
        int risk = millionths(text, 1, 1);
        if (risk > Provisioning.MOST_RISK) {
            throw new IllegalArgumentException("expected a number between 0 and 0.9");
        }
        return risk;
    }

    /** A decimal up to {@code most} as millionths of {@code whole}, rounded down. */
    private static int millionths(String text, int most, int whole) {
        return decimal(text, most)
                .multiply(BigDecimal.valueOf(Policy.Split.ALL))
                .divide(BigDecimal.valueOf(whole), 0, RoundingMode.FLOOR)
                .intValueExact();
    }

    private static long number(String text, long least, long most) {
        return within(text, least, most, "expected a whole number between %d and %d", Long::parseLong);
    }

    private static BigDecimal decimal(String text, long most) {
        return within(text, 0, most, "expected a number between %d and %d", BigDecimal::new);
    }

    private static <N extends Number & Comparable<N>> N within(
            String text, long least, long most, String expected, Function<String, N> parser) {
        try {
            N number = parser.apply(PlainDigits.of(text));
            BigDecimal exact = new BigDecimal(number.toString());
            if (exact.compareTo(BigDecimal.valueOf(least)) >= 0 && exact.compareTo(BigDecimal.valueOf(most)) <= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected.formatted(least, most), e);
        }
        throw new IllegalArgumentException(expected.formatted(least, most));
    }

    private static boolean trueOrFalse(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    private static Currency currency(String text) {
        if (text.equals(NONE)) {
            return Currency.NONE;
        }
        if (!Currency.isOne(text)) {
            throw new IllegalArgumentException("expected %s, or up to 8 letters such as EUR".formatted(NONE));
        }
        return new Currency(text);
    }

    private static String labelKey(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected a node label's key");
        }
        return text;
    }

    private static @Nullable Spending spending(String text) {
        if (text.equals(NONE)) {
            return null;
        }
        Allotment most = Allotment.parse(text);
        return new Spending(most.amount(), most.period());
    }
}
