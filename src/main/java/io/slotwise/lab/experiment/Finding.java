package io.slotwise.lab.experiment;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A finding of a paper with the verdict of the experiment; {@code second} by the second reading, or null. */
public record Finding(
        String place,
        String statement,
        Verdict verdict,
        String evidence,
        @Nullable Second second) {
    public Finding(String place, String statement, Verdict verdict, String evidence) {
        this(place, statement, verdict, evidence, null);
    }

    public record Second(Verdict verdict, String evidence) {}

    Finding beside(Finding other) {
        return new Finding(place, statement, verdict, evidence, new Second(other.verdict, other.evidence));
    }

    public enum Verdict {
        YES,
        PARTLY,
        NO;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Verdict of(boolean... parts) {
            return each(IntStream.range(0, parts.length).boxed().toList(), part -> parts[part]);
        }

        /** Returns the verdict on a finding that must hold for each of these. */
        public static <T> Verdict each(List<T> all, Predicate<T> holds) {
            long met = all.stream().filter(holds).count();
            return met == all.size() ? YES : met == 0 ? NO : PARTLY;
        }
    }
}
