package io.slotwise.core.money;

/**
 * The currency shown with money to users. Programs read amounts without it.
 *
 * @param name a few letters such as {@code EUR}, or a sign such as {@code €}, or empty
 */
public record Currency(String name) {
    public static final Currency NONE = new Currency("");

    private static final int LONGEST = 8;

    public Currency {
        if (!name.isEmpty() && !isOne(name)) {
            throw new IllegalArgumentException(
                    "The currency (%s) must have up to %d letters.".formatted(name, LONGEST));
        }
    }

    /** Returns whether a text is a valid currency: a few letters or signs. */
    public static boolean isOne(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.codePoints().allMatch(letter -> Character.isLetter(letter) || isSign(letter));
    }

    private static boolean isSign(int letter) {
        return Character.getType(letter) == Character.CURRENCY_SYMBOL;
    }

    public boolean isNone() {
        return name.isEmpty();
    }

    /** Returns an amount in the fewest digits, such as {@code 1.25 EUR} or {@code €1.25}: a name follows it. */
    public String of(Money money) {
        return around(money.brief());
    }

    /** Returns the same for an amount of any size, rounded up to a millionth. */
    public String of(Cost cost) {
        return around(cost.brief());
    }

    private String around(String figure) {
        if (name.isEmpty()) {
            return figure;
        }
        return name.codePointCount(0, name.length()) == 1 && isSign(name.codePointAt(0))
                ? name + figure
                : figure + " " + name;
    }

    /** Returns the heading of a column of amounts, such as {@code COST EUR}. */
    public String heading(String word) {
        return name.isEmpty() ? word : word + " " + name;
    }
}
