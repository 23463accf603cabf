package io.slotwise.config;

import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.Patience;
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
import io.slotwise.kubernetes.manifest.field.GangKey;
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
 * The type of a policy key's value.
 *
 * @param words the accepted values, for messages after {@code expected}
 * @param parser throws an {@link IllegalArgumentException} that says what was expected
 * @param schema the accepted values as JSON schema, for the chart
 */
record KeyType<T extends @Nullable Object>(String words, Function<String, T> parser, String schema) {
    private static final String NONE = "none";
    private static final String AUTO = "auto";
    private static final String TRUE_OR_FALSE = "true or false";
    private static final String OF_A_CURRENCY = "%s, or up to 8 letters such as EUR".formatted(NONE);
    private static final String OF_A_LABEL = "a node label's key";
    private static final long MOST_PROCESSOR_SECONDS = Long.MAX_VALUE / 1000;

    /** Between 0 and 1, in millionths. */
    static final KeyType<Integer> FRACTION =
            new KeyType<>(between(0, 1), text -> millionths(text, 1, 1), defined("fraction"));

    /** Above 0 and up to 1, in millionths. */
    static final KeyType<Integer> POSITIVE_FRACTION =
            new KeyType<>(between(0, 1), KeyType::positive, defined("positiveFraction"));

    /** Up to ten times the whole, in millionths. */
    static final KeyType<Integer> PART =
            new KeyType<>(between(0, 10), text -> millionths(text, 10, 1), defined("part"));

    /** Up to a thousand times, in millionths. */
    static final KeyType<Integer> TIMES =
            new KeyType<>(between(0, 1000), text -> millionths(text, 1000, 1), defined("times"));

    /** A probability up to 0.9, in millionths. */
    static final KeyType<Integer> RISK =
            new KeyType<>(between(0, 1), KeyType::risk, "{\"type\":\"number\",\"minimum\":0,\"maximum\":0.9}");

    static final KeyType<Double> WEIGHT =
            new KeyType<>(between(0, 1), text -> decimal(text, 1).doubleValue(), defined("fraction"));

    /** Money for an hour. */
    static final KeyType<Money> HOUR = new KeyType<>(Money.WORDS, ValueOfTime::parseHour, defined("valueOfTime"));

    /** Money; empty for {@code auto}. */
    static final KeyType<OptionalLong> COST =
            auto(Money.WORDS, text -> Cost.of(Money.parse(text)).microSecondsPerHour(), "limit");

    /** Seconds or a duration; empty for {@code auto}. */
    static final KeyType<OptionalLong> PROCESSOR_TIME = auto(
            Durations.WORDS,
            text -> text.chars().allMatch(Character::isDigit) && !text.isEmpty()
                    ? number(text, 0, MOST_PROCESSOR_SECONDS)
                    : Durations.parse(text),
            "limit");

    /** Percent as millionths of the whole, rounded down so that a limit is never exceeded; empty for {@code auto}. */
    static final KeyType<OptionalLong> PERCENT =
            auto(between(0, 100), text -> (long) millionths(text, 100, 100), "percent");

    static final KeyType<Boolean> FLAG = new KeyType<>(TRUE_OR_FALSE, KeyType::trueOrFalse, "{\"type\":\"boolean\"}");

    static final KeyType<Currency> CURRENCY = new KeyType<>(
            OF_A_CURRENCY, KeyType::currency, "{\"type\":\"string\",\"pattern\":\"^[\\\\p{L}\\\\p{Sc}]{1,8}$\"}");

    static final KeyType<String> LABEL =
            new KeyType<>(OF_A_LABEL, KeyType::labelKey, "{\"type\":\"string\",\"minLength\":1}");

    /** A node label's key in a list. */
    static final KeyType<String> LEVEL = new KeyType<>(OF_A_LABEL, GangKey.TOPOLOGY::parse, LABEL.schema());

    /** A list of node labels' keys, which no plain value is. */
    static final KeyType<String> LEVELS = refusing(
            "a list of node labels' keys",
            "{\"type\":\"array\",\"items\":%s,\"uniqueItems\":true}".formatted(LEVEL.schema()));

    static final KeyType<Patience> PATIENCE = new KeyType<>(
            Patience.WORDS, Patience::parse, "{\"type\":\"string\",\"pattern\":\"^[0-9PT].*[0-9A-Za-z%]$\"}");

    /** Money in a period; null for no limit. */
    static final KeyType<@Nullable Spending> SPENDING = new KeyType<>(
            Allotment.WORDS,
            KeyType::spending,
            "{\"type\":\"string\",\"pattern\":\"^(none|[0-9]+(\\\\.[0-9]{1,6})?/(day|week|month))$\"}");

    /** A label selector as text; empty for all nodes. */
    static final KeyType<List<Requirement>> SELECTOR =
            new KeyType<>("a label selector", LabelSelectors::parse, "{\"type\":\"string\"}");

    /** A price calendar in the syntax of the node annotation. */
    static final KeyType<String> CALENDAR = new KeyType<>(
            "a price calendar",
            text -> {
                PriceCalendar.parse(text);
                return text;
            },
            "{\"type\":\"string\",\"minLength\":1}");

    /** A list of mappings with a selector and a calendar each, which no plain value is. */
    static final KeyType<String> TARIFFS = refusing(
            "a list of mappings with nodes and calendar",
            "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"nodes\",\"calendar\"],"
                    + "\"additionalProperties\":false,\"properties\":{\"nodes\":{\"type\":\"string\"},"
                    + "\"calendar\":{\"type\":\"string\",\"minLength\":1}}}}");

    /** A duration, in seconds. */
    static KeyType<Long> duration(long least, long most) {
        return new KeyType<>(
                Durations.WORDS,
                text -> {
                    long seconds = Durations.parse(text);
                    if (seconds < least || seconds > most) {
                        throw refused("a duration between %s and %s"
                                .formatted(Durations.brief(least), Durations.brief(most)));
                    }
                    return seconds;
                },
                defined("duration"));
    }

    static KeyType<Integer> whole(int least, int most) {
        return new KeyType<>(
                wholeWords(least, most), text -> (int) number(text, least, most), wholeSchema(least, most));
    }

    /** A large whole number, not negative. */
    static KeyType<Long> large(long most) {
        return new KeyType<>(wholeWords(0, most), text -> number(text, 0, most), wholeSchema(0, most));
    }

    /** Returns a type of these values by key, in the order for messages. */
    static <T> KeyType<T> choice(T[] choices, Function<T, String> key) {
        Map<String, T> byKey = new LinkedHashMap<>();
        Arrays.stream(choices).forEach(choice -> byKey.put(key.apply(choice), choice));
        String words = "one of " + String.join(", ", byKey.keySet());
        return new KeyType<>(
                words,
                text -> {
                    T chosen = byKey.get(text);
                    if (chosen == null) {
                        throw refused(words);
                    }
                    return chosen;
                },
                byKey.keySet().stream()
                        .map("\"%s\""::formatted)
                        .collect(Collectors.joining(",", "{\"type\":\"string\",\"enum\":[", "]}")));
    }

    /** Returns a type of a list of these values without duplicates, which no plain value is. */
    static <T> KeyType<T> list(T[] choices, Function<T, String> key) {
        return refusing(
                "a list of " + Arrays.stream(choices).map(key).collect(Collectors.joining(", ")),
                "{\"type\":\"array\",\"items\":%s,\"uniqueItems\":true,\"minItems\":1}"
                        .formatted(choice(choices, key).schema()));
    }

    static <T extends Enum<T>> KeyType<T> named(T[] choices) {
        return choice(choices, KeyType::key);
    }

    static String key(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the same type with another meaning of its values. */
    <R extends @Nullable Object> KeyType<R> map(Function<T, R> meaning) {
        return new KeyType<>(words, parser.andThen(meaning), schema);
    }

    /** Returns the same type with fewer values in the chart. */
    KeyType<T> inTheChart(String narrower) {
        return new KeyType<>(words, parser, narrower);
    }

    boolean takes(String text) {
        try {
            var _ = parser.apply(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    String expected() {
        return expected(words);
    }

    private static String expected(String words) {
        return "expected " + words;
    }

    private static IllegalArgumentException refused(String words) {
        return new IllegalArgumentException(expected(words));
    }

    /** Returns a type that accepts no plain value. */
    private static <T> KeyType<T> refusing(String words, String schema) {
        return new KeyType<>(
                words,
                _ -> {
                    throw refused(words);
                },
                schema);
    }

    private static String between(long least, long most) {
        return "a number between %d and %d".formatted(least, most);
    }

    private static String wholeWords(long least, long most) {
        return "a whole number between %d and %d".formatted(least, most);
    }

    private static String defined(String name) {
        return "{\"$ref\":\"#/$defs/%s\"}".formatted(name);
    }

    private static String wholeSchema(long least, long most) {
        return "{\"type\":\"integer\",\"minimum\":%d,\"maximum\":%d}".formatted(least, most);
    }

    private static KeyType<OptionalLong> auto(String words, Function<String, Long> figure, String schema) {
        return new KeyType<>(
                words,
                text -> text.equals(AUTO) ? OptionalLong.empty() : OptionalLong.of(figure.apply(text)),
                defined(schema));
    }

    private static int positive(String text) {
        int part = millionths(text, 1, 1);
        if (part == 0) {
            throw refused("a number above 0 and up to 1");
        }
        return part;
    }

    private static int risk(String text) {
        int risk = millionths(text, 1, 1);
        if (risk > Provisioning.MOST_RISK) {
            throw refused("a number between 0 and 0.9");
        }
        return risk;
    }

    /** Returns a decimal up to {@code most} as millionths of {@code whole}, rounded down. */
    private static int millionths(String text, int most, int whole) {
        return decimal(text, most)
                .multiply(BigDecimal.valueOf(Policy.Split.ALL))
                .divide(BigDecimal.valueOf(whole), 0, RoundingMode.FLOOR)
                .intValueExact();
    }

    private static long number(String text, long least, long most) {
        return within(text, least, most, wholeWords(least, most), Long::parseLong);
    }

    private static BigDecimal decimal(String text, long most) {
        return within(text, 0, most, between(0, most), BigDecimal::new);
    }

    private static <N extends Number & Comparable<N>> N within(
            String text, long least, long most, String words, Function<String, N> parser) {
        try {
            N number = parser.apply(PlainDigits.of(text));
            BigDecimal exact = new BigDecimal(number.toString());
            if (exact.compareTo(BigDecimal.valueOf(least)) >= 0 && exact.compareTo(BigDecimal.valueOf(most)) <= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected(words), e);
        }
        throw refused(words);
    }

    private static boolean trueOrFalse(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(TRUE_OR_FALSE);
        };
    }

    private static Currency currency(String text) {
        if (text.equals(NONE)) {
            return Currency.NONE;
        }
        if (!Currency.isOne(text)) {
            throw refused(OF_A_CURRENCY);
        }
        return new Currency(text);
    }

    private static String labelKey(String text) {
        if (text.isEmpty()) {
            throw refused(OF_A_LABEL);
        }
        return text;
    }

    private static @Nullable Spending spending(String text) {
        if (text.equals(NONE)) {
            return null;
        }
        Allotment mostAllotment = Allotment.parse(text);
        return new Spending(mostAllotment.amount(), mostAllotment.period());
    }
}
