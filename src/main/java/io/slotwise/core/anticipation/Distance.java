package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.window.Window;
import java.util.EnumSet;
import java.util.Set;

/**
 * The distance of a window from its reference: the relative errors E = |ref - can| / ref of some of its figures, summed
 * (D_l, linear) or as a vector's length (D_g, geometric).
 *
 * <p>Invariants: 0 for the reference's own figures, never negative, D_g &lt;= D_l. The errors are added in the order of
 * {@link Criterion}, so that the result has the same bits every time. O(1).
 *
 * <p>Source: the paper on anticipation, section 3 (E_C, D_l, D_g) and section 4.2 (E_S).
 *
 * <p>Readings. Starts and ends are measured from the cycle's first second, from which a wait is counted. The paper's
 * simulated time begins with the interval. The paper also divides by a reference of 0. Here an immediate start is
 * divided by the reference's runtime, so that waiting for one runtime is an error of 1. A cost or energy of 0 has the
 * error 0 if it is met and 1 if not, and so has an energy that is unknown for one of the windows. The paper's E_U needs
 * no term of its own: a gang's utility is a linear function of its own criterion, whose error can be among the errors.
 *
 * @param form how errors are combined
 * @param criteria whose errors count, at least one
 */
public record Distance(Form form, Set<Criterion> criteria) {
    public enum Form implements Keyed {
        /** D_l, their sum. */
        LINEAR,
        /** D_g, the square root of the sum of their squares. */
        GEOMETRIC
    }

    public Distance {
        if (criteria.isEmpty()) {
            throw new IllegalArgumentException("The criteria of a distance must not be empty.");
        }
        criteria = Set.copyOf(criteria);
    }

    public double between(WindowFigures figures, Reference reference) {
        double sum = 0;
        for (Criterion criterion : EnumSet.copyOf(criteria)) {
            double error = error(criterion, figures, reference);
            sum += switch (form) {
                case LINEAR -> error;
                case GEOMETRIC -> error * error;
            };
        }
        return switch (form) {
            case LINEAR -> sum;
            case GEOMETRIC -> StrictMath.sqrt(sum);
        };
    }

    /** Returns a lower bound of the distance of windows that start at second {@code start}. */
    double least(long start, Reference reference) {
        return criteria.contains(Criterion.START) ? time(reference.figures().start(), start, reference) : 0;
    }

    private static double error(Criterion criterion, WindowFigures figures, Reference reference) {
        long ref = reference.figures().value(criterion);
        long value = figures.value(criterion);
        if (criterion.isOfTime()) {
            return time(ref, value, reference);
        }
        return criterion.needsPower() ? energy(ref, value) : amount(ref, value);
    }

    private static double time(long ref, long can, Reference reference) {
        long wait = ref - reference.now();
        long divisor = wait > 0 ? wait : Math.max(1, reference.figures().runtime());
        return (double) Math.abs(ref - can) / divisor;
    }

    private static double energy(long ref, long can) {
        boolean known = ref != Window.UNKNOWN_ENERGY && can != Window.UNKNOWN_ENERGY;
        if (!known) {
            return ref == can ? 0 : 1;
        }
        return amount(ref, can);
    }

    private static double amount(long ref, long can) {
        if (ref == 0) {
            return can == 0 ? 0 : 1;
        }
        return (double) Math.abs(ref - can) / ref;
    }
}
