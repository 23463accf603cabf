package io.slotwise.live.record;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a gang asks for, as far as its record shows it.
 *
 * @param criterion the key of what it wants to be least; null: not known
 * @param runtime seconds on the reference node; 0: not known
 * @param budget the most that it may cost; null: no limit
 * @param request a fingerprint of all that decides which windows suit it, beside budget, earliest start, deadline and
 *     the most pods per node, which are compared with the window itself: the number of its form, a colon, 16
 *     hexadecimal digits; and of the pods themselves, where they are known: a colon, 16 hexadecimal digits. Empty: not
 *     known
 * @param priority a larger number may displace smaller ones
 * @param lockstep whether every pod is charged until the last one ends
 * @param source where the runtime comes from; null: not known
 * @param worth what its time is worth to it; null: nothing, or it is not known
 * @param after the gangs after whose end it starts, in the order in which they are stated
 * @param preferences what its window would better be like
 */
@RecordBuilder
public record RecordedTerms(
        @Nullable String criterion,
        long runtime,
        @Nullable Money budget,
        String request,
        int priority,
        boolean lockstep,
        @Nullable RuntimeSource source,
        @Nullable Worth worth,
        List<Before> after,
        Preferences preferences)
        implements RecordedTermsBuilder.With {
    /**
     * A gang after whose end another one starts.
     *
     * @param gang which
     * @param end when it ends or ended, as it was seen once it had started, seconds since the epoch; empty: it was not
     *     seen to have started
     */
    public record Before(GangId gang, OptionalLong end) {}

    public RecordedTerms {
        after = List.copyOf(after);
    }

    /**
     * What time is worth to a gang.
     *
     * @param hour that its end comes later, currency units
     * @param since when it arrived, seconds since the epoch
     * @param until a later end costs nothing more, seconds since the epoch; {@link Interval#FOREVER}: it always does
     */
    public record Worth(Money hour, long since, long until) {
        /** Of a gang; null if its time is worth nothing. */
        static @Nullable Worth of(Gang gang) {
            ValueOfTime time = gang.valueOfTime();
            return time.isNone() ? null : new Worth(time.hour(), gang.arrival(), time.until());
        }

        /**
         * What it is worth that the gang ends at this second and not when it arrived: exactly, whatever its record
         * says.
         */
        public Cost delay(long end) {
            return Cost.product(hour.micros(), Math.min(end, Math.max(until, since)))
                    .minus(Cost.product(hour.micros(), since))
                    .orNothing();
        }
    }

    /** Nothing can be said, for instance because the request cannot be read. */
    public static final RecordedTerms UNKNOWN = new RecordedTerms(null, 0, null, "", 0, false);

    private static final int FINGERPRINT_BYTES = 8;

    /** What stands between the fingerprint of the request and that of the pods. */
    private static final char PODS = ':';

    /**
     * What a fingerprint of {@link #fingerprint} begins with; another number for whatever is read or written otherwise
     * there.
     */
    private static final String FORM = "4:";

    /**
     * A gang that starts after none, prefers nothing and whose time is worth nothing; it is not known where its runtime
     * comes from.
     */
    public RecordedTerms(
            @Nullable String criterion,
            long runtime,
            @Nullable Money budget,
            String request,
            int priority,
            boolean lockstep) {
        this(criterion, runtime, budget, request, priority, lockstep, null, null, List.of(), Preferences.NONE);
    }

    /** The same of pods with this fingerprint; empty: they are not known. */
    public RecordedTerms ofPods(String fingerprint) {
        return withRequest(fingerprint.isEmpty() ? withoutPods() : withoutPods() + PODS + fingerprint);
    }

    /**
     * Whether these are the terms of pods with this fingerprint. True where they do not say, or say it in the form of
     * another version of Slotwise.
     */
    public boolean areOfPods(String fingerprint) {
        return !request.startsWith(FORM) || request.equals(withoutPods()) || request.endsWith(PODS + fingerprint);
    }

    /** The fingerprint of the request alone. */
    private String withoutPods() {
        int end = request.startsWith(FORM) ? request.indexOf(PODS, FORM.length()) : -1;
        return end < 0 ? request : request.substring(0, end);
    }

    /** The terms of a gang. */
    public static RecordedTerms of(Gang gang) {
        return new RecordedTerms(
                gang.criterion().key(),
                gang.runtime(),
                gang.budget().total(),
                fingerprint(gang),
                gang.priority(),
                gang.lockstep(),
                null,
                Worth.of(gang),
                gang.after().gangs().stream()
                        .map(before -> new Before(before, OptionalLong.empty()))
                        .toList(),
                gang.preferences().stated());
    }

    /** The gangs that it starts after. */
    public List<GangId> predecessors() {
        return after.stream().map(Before::gang).toList();
    }

    /**
     * Whether these are known to ask for something else than {@code terms}. A fingerprint in another form is one of
     * another version of Slotwise and tells nothing: an upgrade, or its return, keeps what was promised.
     */
    public boolean differFrom(RecordedTerms terms) {
        return terms.request().startsWith(FORM) && !terms.withoutPods().equals(withoutPods());
    }

    private static String fingerprint(Gang gang) {
        String text = String.join(
                "|",
                shapes(gang),
                Long.toString(gang.runtime()),
                Boolean.toString(gang.shapes().getFirst().request().nodeIndependent()),
                wish(gang),
                String.valueOf(gang.budget().slotPrice()),
                String.valueOf(gang.topology()),
                Boolean.toString(gang.lockstep()));
        return FORM + Fingerprint.of(text, FINGERPRINT_BYTES);
    }

    /** The criterion with what it goes by. */
    private static String wish(Gang gang) {
        String key = gang.criterion().key();
        return switch (gang.criterion()) {
            case VALUE -> key + " " + spelled(gang.valueOfTime());
            case PREFERENCE -> key + " " + spelled(gang.preferences());
            case START, FINISH, RUNTIME, COST, PROCESSOR_TIME, ENERGY -> key;
        };
    }

    private static String spelled(Preferences preferences) {
        return Stream.of(preferences.preferredStart(), preferences.preferredFinish(), preferences.preferredCost())
                .map(preferred -> preferred == null ? "" : preferred.reference() + " weight " + preferred.weight())
                .collect(Collectors.joining(", "));
    }

    private static String spelled(ValueOfTime time) {
        return time.hour().brief() + (time.falls() ? " until " + time.until() : "");
    }

    /**
     * How many pods ask for what. What is read from the claims of pods, their places and marks, does not count:
     * kube-scheduler may give one of several pods devices first. Neither do nodes left out for a while.
     */
    private static String shapes(Gang gang) {
        TreeMap<String, Integer> pods = new TreeMap<>();
        gang.shapes()
                .forEach(shape ->
                        pods.merge(request(shape.request()), shape.pods().size(), Integer::sum));
        return pods.entrySet().stream()
                .map(entry -> entry.getValue() + "|" + entry.getKey())
                .sorted()
                .collect(Collectors.joining("|"));
    }

    private static String request(PodRequest request) {
        return spelled(request.resources(), request.constraint());
    }

    /** What a pod asks of its node, in one order whoever reads it. */
    public static String spelled(Resources resources, NodeConstraint constraint) {
        return String.join(
                "|",
                resources.amounts().toString(),
                new TreeMap<>(constraint.selector()).toString(),
                constraint.affinity().toString(),
                new TreeSet<>(constraint.tolerations().stream()
                                // What the policy adds is no word of the gang's.
                                .filter(toleration -> !toleration.equals(NodeConstraint.BOUGHT))
                                .map(Object::toString)
                                .toList())
                        .toString());
    }
}
