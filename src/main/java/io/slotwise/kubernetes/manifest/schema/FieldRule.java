package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the API server's validation wants of one value.
 *
 * @param expected in words
 * @param isOfWhole whether it is about a map as a whole, and not about each of its values
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
    private static final String AT_MOST = "at-most:";
    private static final String ITEMS_AT_MOST = "items-at-most:";
    private static final String PATTERN = "pattern:";
    private static final Pattern RANGE = Pattern.compile("(-?\\d+)\\.\\.(\\d+)");
    private static final Pattern AMOUNT =
            Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?");

    FieldRule(Test test, String expected) {
        this(test, expected, false);
    }

    /** A check of one value. */
    interface Test {
        boolean passes(JsonNode value);
    }

    /** Whether a value is as expected. */
    boolean passes(JsonNode value) {
        return test.passes(value);
    }

    /** The rule of this name in the table of rules. */
    static FieldRule of(String name) {
        var range = RANGE.matcher(name);
        if (range.matches()) {
            BigDecimal least = new BigDecimal(range.group(1));
            BigDecimal most = new BigDecimal(range.group(2));
            return new FieldRule(
                    value -> !value.isNumber()
                            || (value.decimalValue().compareTo(least) >= 0
                                    && value.decimalValue().compareTo(most) <= 0),
                    "a whole number between %s and %s".formatted(least, most));
        }
        if (name.startsWith(AT_MOST)) {
            int most = Integer.parseInt(name.substring(AT_MOST.length()));
            return text(value -> value.length() <= most, "at most %d characters".formatted(most));
        }
        if (name.startsWith(ITEMS_AT_MOST)) {
            int most = Integer.parseInt(name.substring(ITEMS_AT_MOST.length()));
            return new FieldRule(value -> value.size() <= most, "at most %d".formatted(most), true);
        }
        if (name.startsWith(PATTERN)) {
            Pattern pattern = Pattern.compile(name.substring(PATTERN.length()));
            return text(value -> pattern.matcher(value).find(), "a text that matches " + pattern);
        }
        if (name.startsWith("one-of:")) {
            java.util.List<String> words =
                    java.util.List.of(name.substring("one-of:".length()).split("\\|", -1));
            return new FieldRule(value -> words.contains(value.asText()), String.join(" or ", words));
        }
        return switch (name) {
            case "label" -> text(value -> isLabel(value), "at most %d of a-z, 0-9 and -".formatted(LONGEST_LABEL));
            case "name" ->
                text(
                        value -> value.length() <= LONGEST_NAME
                                && SUBDOMAIN.matcher(value).matches(),
                        "at most %d of a-z, 0-9, - and .".formatted(LONGEST_NAME));
            case "name-or-none" ->
                text(
                        value -> value.isEmpty()
                                || (value.length() <= LONGEST_NAME
                                        && SUBDOMAIN.matcher(value).matches()),
                        "at most %d of a-z, 0-9, - and .".formatted(LONGEST_NAME));
            case "key" -> text(FieldRule::isKey, "a key such as example.com/name");
            case "label-value" ->
                text(FieldRule::isLabelValue, "at most %d letters, digits, -, _ and .".formatted(LONGEST_LABEL));
            case "port-name" ->
                text(
                        value ->
                                value.length() <= 15 && PORT_NAME.matcher(value).matches(),
                        "at most 15 of a-z, 0-9 and -, with a letter");
            case "percent" ->
                new FieldRule(
                        value -> !value.isTextual()
                                || PERCENT.matcher(value.asText()).matches(),
                        "a whole number or a percentage such as 50%");
            case "more" ->
                new FieldRule(
                        value -> !value.asText().startsWith("-")
                                && !value.asText().equals("0"),
                        "more than 0");
            case "storage" ->
                new FieldRule(value -> value.size() == 1 && value.hasNonNull("storage"), "storage alone", true);
            case "driver" ->
                text(
                        value -> value.length() <= LONGEST_LABEL
                                && SUBDOMAIN
                                        .matcher(value.toLowerCase(Locale.ROOT))
                                        .matches(),
                        "at most %d letters, digits, - and .".formatted(LONGEST_LABEL));
            case "version" -> text(value -> VERSION.matcher(value).matches(), "a version such as 1.2.3");
            case "names" ->
                text(
                        value -> value.length() <= LONGEST_NAME
                                && SUBDOMAIN.matcher(value.replace('/', '.')).matches(),
                        "names of a-z, 0-9, - and . with slashes between");
            case "text" -> text(value -> !value.isEmpty(), "a text");
            case "items" -> new FieldRule(value -> !value.isEmpty(), "at least one", true);
            case "keys" ->
                new FieldRule(
                        value -> value.properties().stream().allMatch(entry -> isKey(entry.getKey())),
                        "keys such as example.com/name",
                        true);
            default -> throw new IllegalArgumentException("The rule (%s) is not known.".formatted(name));
        };
    }

    private static FieldRule text(java.util.function.Predicate<String> test, String expected) {
        return new FieldRule(value -> test.test(value.asText()), expected);
    }

    private static boolean isLabel(String text) {
        return text.length() <= LONGEST_LABEL && LABEL.matcher(text).matches();
    }

    /** Whether a text is a key of labels: a name, or a domain and a name. */
    static boolean isKey(@Nullable String text) {
        if (text == null) {
            return false;
        }
        int slash = text.indexOf('/');
        String name = text.substring(slash + 1);
        return name.length() <= LONGEST_LABEL
                && QUALIFIED.matcher(name).matches()
                && (slash < 0
                        || (slash <= LONGEST_NAME
                                && SUBDOMAIN.matcher(text.substring(0, slash)).matches()));
    }

    /** Whether a text can be the value of a label. */
    static boolean isLabelValue(String text) {
        return text.isEmpty()
                || (text.length() <= LONGEST_LABEL && QUALIFIED.matcher(text).matches());
    }

    /** Whether a value is an amount as the API server writes it. */
    static boolean isAmount(JsonNode value) {
        return value.isNumber()
                || (value.isTextual() && AMOUNT.matcher(value.asText()).matches());
    }
}
