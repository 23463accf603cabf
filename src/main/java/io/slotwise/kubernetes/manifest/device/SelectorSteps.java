package io.slotwise.kubernetes.manifest.device;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the steps of an expression for one device, and ends it beyond {@link #MOST}: one step for each evaluated part,
 * and more for large values. The library limits iterations only. A step takes less than a microsecond.
 */
final class SelectorSteps implements CelEvaluationListener {
    /** The most steps for one device. kube-scheduler's limit is the same number, and counts no less for a part. */
    static final long MOST = 1_000_000;

    private static final int LONG_TEXT = 1024;
    private static final long PER_CHARACTER_READ = 20;
    private static final Pattern REPEATED = Pattern.compile("\\{([0-9]+)(?:,([0-9]*))?\\}");
    private static final ScopedValue<SelectorSteps> CURRENT = ScopedValue.newInstance();

    private long taken;

    static long toRead(String expression) {
        return PER_CHARACTER_READ * expression.length();
    }

    <T, X extends Throwable> T count(ScopedValue.CallableOp<T, X> evaluation) throws X {
        return ScopedValue.where(CURRENT, this).call(evaluation);
    }

    @Override
    public void callback(CelExpr part, Object value) {
        add(1);
        CelExpr.ExprKind.Kind kind = part.getKind();
        addSize(value, kind == CelExpr.ExprKind.Kind.CONSTANT || kind == CelExpr.ExprKind.Kind.LIST);
    }

    /**
     * Adds a tenth of a step for each value and character. Long texts count more, as they may be searched or replaced.
     *
     * @param literal whether the expression itself contains the value, so that no text in it is longer than the
     *     expression
     */
    private void addSize(Object value, boolean literal) {
        switch (value) {
            case String text -> {
                long length = text.length();
                add(length <= LONG_TEXT ? length * (1000 + length) / 10_000 : length * length / (literal ? 1000 : 50));
            }
            case Collection<?> values -> {
                add(values.size() / 10);
                values.forEach(inner -> addInner(inner, literal));
            }
            case Map<?, ?> values -> {
                add(values.size() / 10);
                values.values().forEach(inner -> addInner(inner, literal));
            }
            default -> {}
        }
    }

    private void addInner(Object value, boolean literal) {
        if (value instanceof String || value instanceof Collection || value instanceof Map) {
            add(1);
            addSize(value, literal);
        }
    }

    private void add(long steps) {
        taken = Math.min(taken + steps, 2 * MOST);
        if (isTooMany()) {
            throw new IllegalStateException("more than %,d steps".formatted(MOST));
        }
    }

    private static void charge(long steps) {
        CURRENT.get().add(Math.min(steps, 2 * MOST));
    }

    boolean isTooMany() {
        return taken > MOST;
    }

    long taken() {
        return taken;
    }

    /**
     * Returns whether a text contains a match of a regular expression. O(program * text), counted as that many steps.
     */
    static boolean matches(String text, String expression) {
        long largest = expression.length();
        Matcher repeated = REPEATED.matcher(expression);
        while (repeated.find() && largest <= MOST) {
            largest *= Math.max(1, Math.max(number(repeated.group(1)), number(repeated.group(2))));
        }
        charge(4 * largest);
        com.google.re2j.Pattern pattern = com.google.re2j.Pattern.compile(expression);
        charge(pattern.programSize() * (10 + text.length() / 4L));
        return pattern.matcher(text).find();
    }

    /** Returns a number of repetitions, at most what regular expressions allow. */
    private static long number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 1 : digits.length() > 4 ? 10_000 : Long.parseLong(digits);
    }

    static List<Long> range(long size) {
        charge(size);
        return LongStream.range(0, size).boxed().toList();
    }
}
