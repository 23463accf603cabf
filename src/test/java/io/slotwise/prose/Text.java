package io.slotwise.prose;

import java.util.regex.Pattern;

/** Steps that comments and documents have in common on the way to a {@link Paragraph}. */
final class Text {
    private static final Pattern QUOTATION = Pattern.compile("\"[^\"]{1,300}\"|“[^”]{1,300}”");

    /** O(...) with up to two levels of parentheses in it. */
    private static final Pattern COST = Pattern.compile("\\bO\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)");

    private static final Pattern ELEMENT = Pattern.compile("</?\\w+[^<>]*>");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Text() {}

    static String withoutQuotations(String text) {
        return COST.matcher(QUOTATION.matcher(text).replaceAll("Quote")).replaceAll("Cost");
    }

    static String withoutElements(String text) {
        return ELEMENT.matcher(text).replaceAll("");
    }

    static String inOneLine(String text) {
        return SPACE.matcher(text).replaceAll(" ").strip();
    }
}
