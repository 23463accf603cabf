package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the API server's validation for one value.
 *
 * @param isOfWhole whether the rule concerns a map as a whole, and not each of its values
 */
record FieldRule(Test test, String expected, boolean isOfWhole) {
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_NAME = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern PORT_NAME = Pattern.compile("(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern VERSION = Pattern.compile("(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
            + "(-(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(\\.(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
            + "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");
    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}%");
    private static final Pattern RANGE = Pattern.compile("(-?\\d+)\\.\\.(\\d+)");
    private static final Pattern AMOUNT =
            Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?");

    private static final Map<String, FieldRule> NAMED = Map.ofEntries(
            Map.entry("label", text(FieldRule::isLabel, "at most %d of a-z, 0-9 and -".formatted(LONGEST_LABEL))),
            Map.entry("name", text(FieldRule::isName, "at most %d of a-z, 0-9, - and .".formatted(LONGEST_NAME))),
            Map.entry(
                    "name-or-none",
                    text(
                            value -> value.isEmpty() || isName(value),
                            "at most %d of a-z, 0-9, - and .".formatted(LONGEST_NAME))),
            Map.entry("key", text(FieldRule::isKey, "a key such as example.com/name")),
            Map.entry(
                    "label-value",
                    text(FieldRule::isLabelValue, "at most %d letters, digits, -, _ and .".formatted(LONGEST_LABEL))),
            Map.entry(
                    "port-name",
                    text(
                            value -> value.length() <= 15
                                    && PORT_NAME.matcher(value).matches(),
                            "at most 15 of a-z, 0-9 and -, with a letter")),
            Map.entry(
                    "percent",
                    new FieldRule(
                            value -> !value.isTextual()
                                    || PERCENT.matcher(value.asText()).matches(),
                            "a whole number or a percentage such as 50%")),
            Map.entry("more", text(value -> !value.startsWith("-") && !value.equals("0"), "more than 0")),
            Map.entry(
                    "storage",
                    new FieldRule(value -> value.size() == 1 && value.hasNonNull("storage"), "storage alone", true)),
            Map.entry(
                    "driver",
                    text(
                            value -> value.length() <= LONGEST_LABEL && isName(value.toLowerCase(Locale.ROOT)),
                            "at most %d letters, digits, - and .".formatted(LONGEST_LABEL))),
            Map.entry("version", text(value -> VERSION.matcher(value).matches(), "a version such as 1.2.3")),
            Map.entry(
                    "names",
                    text(value -> isName(value.replace('/', '.')), "names of a-z, 0-9, - and . with slashes between")),
            Map.entry("text", text(value -> !value.isEmpty(), "a text")),
            Map.entry("items", new FieldRule(value -> !value.isEmpty(), "at least one", true)),
            Map.entry(
                    "keys",
                    new FieldRule(
                            value -> value.properties().stream().allMatch(entry -> isKey(entry.getKey())),
                            "keys such as example.com/name",
                            true)));

    FieldRule(Test test, String expected) {
        this(test, expected, false);
    }

    interface Test {
        boolean passes(JsonNode value);
    }

    boolean passes(JsonNode value) {
        return test.passes(value);
    }

    static FieldRule of(String name) {
        FieldRule namedRule = NAMED.get(name);
        if (namedRule != null) {
            return namedRule;
        }
        Matcher range = RANGE.matcher(name);
        if (range.matches()) {
            return between(new BigDecimal(range.group(1)), new BigDecimal(range.group(2)));
        }
        String figure = name.substring(name.indexOf(':') + 1);
        return switch (name.substring(0, name.length() - figure.length())) {
            case "at-most:" -> {
                int most = Integer.parseInt(figure);
                yield text(value -> value.length() <= most, "at most %d characters".formatted(most));
            }
            case "items-at-most:" -> {
                int most = Integer.parseInt(figure);
                yield new FieldRule(value -> value.size() <= most, "at most %d".formatted(most), true);
            }
            case "pattern:" -> {
                Pattern pattern = Pattern.compile(figure);
                yield text(value -> pattern.matcher(value).find(), "a text that matches " + pattern);
            }
            case "one-of:" -> {
                List<String> words = List.of(figure.split("\\|", -1));
                yield text(words::contains, String.join(" or ", words));
            }
            default -> throw new IllegalArgumentException("The rule (%s) is not known.".formatted(name));
        };
    }

    private static FieldRule between(BigDecimal least, BigDecimal most) {
        return new FieldRule(
                value -> !value.isNumber()
                        || (value.decimalValue().compareTo(least) >= 0
                                && value.decimalValue().compareTo(most) <= 0),
                "a whole number between %s and %s".formatted(least, most));
    }

    private static FieldRule text(Predicate<String> test, String expected) {
        return new FieldRule(value -> test.test(value.asText()), expected);
    }

    private static boolean isLabel(String text) {
        return text.length() <= LONGEST_LABEL && LABEL.matcher(text).matches();
    }

    private static boolean isName(String text) {
        return text.length() <= LONGEST_NAME && SUBDOMAIN.matcher(text).matches();
    }

    /** Returns whether a text is a label key: a name, optionally with a domain. */
    static boolean isKey(@Nullable String text) {
        if (text == null) {
            return false;
        }
        int slash = text.indexOf('/');
        String name = text.substring(slash + 1);
        return name.length() <= LONGEST_LABEL
                && QUALIFIED.matcher(name).matches()
                && (slash < 0 || isName(text.substring(0, slash)));
    }

    static boolean isLabelValue(String text) {
        return text.isEmpty()
                || (text.length() <= LONGEST_LABEL && QUALIFIED.matcher(text).matches());
    }

    static boolean isAmount(JsonNode value) {
        return value.isNumber()
                || (value.isTextual() && AMOUNT.matcher(value.asText()).matches());
    }
}
