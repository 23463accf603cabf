package io.slotwise.live.record;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Topology;
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
 * The request of a gang as its record shows it.
 *
 * @param criterion the key of what the gang minimizes; null if not known
 * @param runtime seconds on the reference node; 0 if not known
 * @param budget the maximum cost; null if unlimited
 * @param request a fingerprint of everything that decides which windows suit the gang, except budget, earliest start,
 *     deadline and pods per node, which are compared with the window itself. It has the number of its format, a colon
 *     and 16 hexadecimal digits, and for known pods a colon and 16 hexadecimal digits for the pods themselves. Empty if
 *     not known
 * @param priority a larger number may displace smaller ones
 * @param lockstep whether every pod is charged until the last one ends
 * @param source of the runtime; null if not known
 * @param worth the value of its time; null if none, or not known
 * @param after its predecessors, in the stated order
 * @param preferences for its window
 * @param queue the name of its queue; null if no queue bounds it, or not known
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
        Preferences preferences,
        @Nullable String queue)
        implements RecordedTermsBuilder.With {
    /**
     * A predecessor.
     *
     * @param end when it ends or ended, as seen after its start, seconds since the epoch; empty if no start was seen
     */
    public record Before(GangId gang, OptionalLong end) {}

    public RecordedTerms {
        after = List.copyOf(after);
    }

    /**
     * The value of a gang's time.
     *
     * @param hour of delay of its end, currency units
     * @param since its arrival, seconds since the epoch
     * @param until a later end costs nothing more, seconds since the epoch; {@link Interval#FOREVER} if it always does
     */
    public record Worth(Money hour, long since, long until) {
        /** Returns the value of a gang's time. Null if it has none. */
        static @Nullable Worth of(Gang gang) {
            ValueOfTime time = gang.valueOfTime();
            return time.isNone() ? null : new Worth(time.hour(), gang.arrival(), time.until());
        }

        /** Returns the exact cost of the delay of this end since the arrival. */
        public Cost delay(long end) {
            return Cost.product(hour.micros(), Math.min(end, Math.max(until, since)))
                    .minus(Cost.product(hour.micros(), since))
                    .orNothing();
        }
    }

    /** Unknown terms, for instance because the request cannot be read. */
    public static final RecordedTerms UNKNOWN = new RecordedTerms(null, 0, null, "", 0, false);

    private static final int FINGERPRINT_BYTES = 8;

    /** Separates the fingerprint of the request from that of the pods. */
    private static final char PODS = ':';

    /** The format of {@link #fingerprint}; change the number whenever fingerprints get other contents. */
    private static final String FORM = "4:";

    /** Creates terms without predecessors, preferences, a value of time and a known source of the runtime. */
    public RecordedTerms(
            @Nullable String criterion,
            long runtime,
            @Nullable Money budget,
            String request,
            int priority,
            boolean lockstep) {
        this(criterion, runtime, budget, request, priority, lockstep, null, null, List.of(), Preferences.NONE, null);
    }

    /** Returns the same terms for pods with this fingerprint, which is empty if they are not known. */
    public RecordedTerms ofPods(String fingerprint) {
        return withRequest(fingerprint.isEmpty() ? withoutPods() : withoutPods() + PODS + fingerprint);
    }

    /**
     * Returns whether the terms match pods with this fingerprint. True if the terms have none, or one in the format of
     * another version of Slotwise.
     */
    public boolean areOfPods(String fingerprint) {
        return !request.startsWith(FORM) || request.equals(withoutPods()) || request.endsWith(PODS + fingerprint);
    }

    private String withoutPods() {
        int end = request.startsWith(FORM) ? request.indexOf(PODS, FORM.length()) : -1;
        return end < 0 ? request : request.substring(0, end);
    }

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
                gang.preferences().stated(),
                gang.queue());
    }

    public List<GangId> predecessors() {
        return after.stream().map(Before::gang).toList();
    }

    /**
     * Returns whether the requests are known to differ. A fingerprint in the format of another version of Slotwise
     * proves nothing, so an upgrade or a downgrade keeps promises.
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
                topology(gang.topology()),
                Boolean.toString(gang.lockstep()));
        return FORM + Fingerprint.of(text, FINGERPRINT_BYTES);
    }

    /**
     * Returns the label of each span with its factor, and the slices. What the policy says about the wider levels and
     * the patience is left out, because a changed policy breaks no promise.
     */
    private static String topology(Topology topology) {
        List<Topology.Span> spans = topology.patience() == null
                ? topology.spans()
                : List.of(topology.spans().getFirst(), topology.spans().getLast());
        return spans.stream()
                        .map(span ->
                                (span.level() == null ? "null" : span.level().key())
                                        + (span.factor() == Topology.Span.ONE ? "" : "*" + span.factor()))
                        .collect(Collectors.joining(";"))
                + (topology.patience() == null ? "" : " preferred")
                + topology.slices().stream().map(slice -> " " + slice.spelled()).collect(Collectors.joining());
    }

    /** Returns the criterion with its parameters. */
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
     * Returns the number of pods with each request. Claims, their node restrictions and marks do not count, because
     * kube-scheduler may give devices to one of several pods first. Nor do nodes that are left out for a while.
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

    /** Returns a pod's requirements for its node in a fixed order. */
    public static String spelled(Resources resources, NodeConstraint constraint) {
        return String.join(
                "|",
                resources.amounts().toString(),
                new TreeMap<>(constraint.selector()).toString(),
                constraint.affinity().toString(),
                new TreeSet<>(constraint.tolerations().stream()
                                // The policy adds this toleration, not the gang.
                                .filter(toleration -> !toleration.equals(NodeConstraint.BOUGHT))
                                .map(Object::toString)
                                .toList())
                        .toString());
    }
}
