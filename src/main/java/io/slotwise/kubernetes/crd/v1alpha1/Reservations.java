package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.GangRecord.Aspect;
import io.slotwise.live.record.GangRecord.History;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.NodeAvoidance;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.report.RefusalFigures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Converts between the loop's record of a gang and its Reservation. */
public final class Reservations {
    public static final String GANG_LABEL = "slotwise.io/gang";

    /** Keeps the record of a deleted advance reservation until its room has been charged. */
    public static final String FINALIZER = "slotwise.io/held";

    private static final String UNKNOWN = "Unknown";
    private static final String PLANNED = "Planned";
    private static final String STARTED = "Started";
    private static final int LONGEST_LABEL = 63;
    /**
     * Longer than any time that a pod may state (68 years), and short enough that products with a runtime stay within a
     * long.
     */
    private static final long LONGEST_RUNTIME = Integer.MAX_VALUE;

    private Reservations() {}

    /**
     * Reads a Reservation.
     *
     * @throws IllegalArgumentException if Slotwise would never write it
     */
    public static GangRecord record(Reservation reservation) {
        GangId gang = reservation.gang();
        ReservationSpec spec = reservation.getSpec();
        if (gang == null || spec == null) {
            throw new IllegalArgumentException("A reservation must name its gang.");
        }
        ReservationStatus status = reservation.getStatus() == null ? ReservationStatus.NONE : reservation.getStatus();
        ObjectMeta meta = reservation.getMetadata();
        long created = meta.getCreationTimestamp() == null ? 0 : RecordTime.second(meta.getCreationTimestamp());
        boolean held = spec.hold() != null;
        // A window by a user has no effect: only Slotwise writes the status.
        Promise promise = held && status.phase() == Phase.PENDING ? null : promise(gang, spec, status.phase());
        TreeMap<String, NodeAvoidance> avoided = new TreeMap<>();
        status.avoided()
                .forEach(nodeAvoided -> avoided.put(
                        nodeAvoided.node(),
                        new NodeAvoidance(
                                RecordTime.second(nodeAvoided.until()),
                                orEmpty(nodeAvoided.podUid()),
                                orEmpty(nodeAvoided.nodeUid()))));
        TreeMap<String, Long> ends = new TreeMap<>();
        status.ends().forEach(end -> ends.put(end.pod(), RecordTime.second(end.end())));
        TreeMap<String, String> undone = new TreeMap<>();
        status.undone().forEach(place -> undone.put(place.uid(), place.node()));
        TreeMap<String, String> members = new TreeMap<>();
        if (spec.window() != null) {
            List<PlacementSpec> places = spec.window().placement();
            for (int i = 0; i < Math.min(places.size(), status.members().size()); i++) {
                members.put(places.get(i).pod(), status.members().get(i));
            }
        }
        GangRecord record = new GangRecord(
                        gang,
                        meta.getUid() == null ? "" : meta.getUid(),
                        meta.getResourceVersion() == null ? "" : meta.getResourceVersion(),
                        status.phase(),
                        new RecordedTerms(
                                spec.criterion(),
                                spec.runtimeSeconds() == null
                                        ? 0
                                        : seconds("spec.runtimeSeconds", spec.runtimeSeconds()),
                                spec.budget() == null ? null : Money.parse(spec.budget()),
                                spec.request() == null ? "" : spec.request(),
                                spec.priority() == null ? 0 : spec.priority(),
                                Boolean.TRUE.equals(spec.lockstep()),
                                spec.runtimeSource() == null
                                        ? null
                                        : spec.runtimeSource().source(),
                                worth(spec),
                                after(spec),
                                PreferredSpec.read(spec.preferred()),
                                spec.queue()),
                        promise,
                        Tariffs.read(spec.window()),
                        aspect(status, PLANNED, created),
                        aspect(status, STARTED, created),
                        new History(
                                created,
                                first(spec, status),
                                optionalSecond(status.startedAt()),
                                optionalSecond(status.endedAt()),
                                ends,
                                status.attempts(),
                                status.passed(),
                                past(status.past()),
                                optionalSecond(status.releasedAt()),
                                members,
                                List.of(),
                                undone,
                                lastRefusal(status.lastRefusal()),
                                Tariffs.sizes(status.resized(), spec.window())),
                        avoided,
                        tenure(reservation, spec),
                        meta.getDeletionTimestamp() != null)
                .withLatePods();
        // The window of a promise is written before the status.
        return promise != null && record.phase() == Phase.PENDING && !record.lacksItsNextWindow()
                ? record.withPhase(Phase.PROMISED)
                : record;
    }

    /** Returns the first promise. A status without a latest start is that of a gang that started at once. */
    private static @Nullable FirstPromise first(ReservationSpec spec, ReservationStatus status) {
        if (status.promisedStart() == null) {
            return null;
        }
        long start = RecordTime.second(status.promisedStart());
        String by = status.promisedBy() == null ? spec.promisedBy() : status.promisedBy();
        return by == null ? new FirstPromise(start) : new FirstPromise(start, RecordTime.second(by));
    }

    private static RecordedTerms.@Nullable Worth worth(ReservationSpec spec) {
        return spec.valueOfTime() == null || spec.submitted() == null
                ? null
                : new RecordedTerms.Worth(
                        ValueOfTime.always(Money.parse(spec.valueOfTime())).hour(),
                        RecordTime.second(spec.submitted()),
                        spec.valueUntil() == null ? Interval.FOREVER : RecordTime.second(spec.valueUntil()));
    }

    /** Reads the predecessors. A user's entry that is no gang name has no effect. */
    private static List<RecordedTerms.Before> after(ReservationSpec spec) {
        return spec.after().stream()
                .filter(before -> before.gang() != null && before.gang().indexOf('/') > 0)
                .map(before -> new RecordedTerms.Before(
                        new GangId(
                                before.gang().substring(0, before.gang().indexOf('/')),
                                before.gang().substring(before.gang().indexOf('/') + 1)),
                        optionalSecond(before.end())))
                .toList();
    }

    private static WindowOwnership tenure(Reservation reservation, ReservationSpec spec) {
        if (spec.hold() != null) {
            return new WindowOwnership.Held(
                    optionalSecond(reservation.getMetadata().getDeletionTimestamp()));
        }
        return spec.reservation() == null ? WindowOwnership.own() : new WindowOwnership.Part(spec.reservation());
    }

    /** Returns the Reservation without its status, with the record's version, if any. */
    public static Reservation withSpec(GangRecord record) {
        Reservation reservation = new Reservation();
        ObjectMetaBuilder meta = new ObjectMetaBuilder()
                .withName(ReservationName.of(record.gang()))
                .withNamespace(record.gang().namespace());
        if (isLabel(record.gang().name())) {
            meta.addToLabels(GANG_LABEL, record.gang().name());
        }
        if (!record.version().isEmpty()) {
            meta.withResourceVersion(record.version());
        }
        if (record.isKept()) {
            meta.withFinalizers(FINALIZER);
        }
        reservation.setMetadata(meta.build());
        reservation.setSpec(spec(record));
        return reservation;
    }

    /** Returns the spec of a record, except a user's own fields and the epoch of the writing replica. */
    public static ReservationSpec spec(GangRecord record) {
        Promise promise = record.whole();
        Money budget = record.terms().budget();
        RecordedTerms.Worth worth = record.terms().worth();
        PromiseBound bound = promise == null ? null : promise.promiseBound();
        return new ReservationSpec(
                record.gang().name(),
                record.terms().criterion(),
                record.terms().runtime() == 0 ? null : record.terms().runtime(),
                budget == null ? null : budget.toString(),
                promise == null ? null : promise.origin().key(),
                record.terms().request().isEmpty() ? null : record.terms().request(),
                record.terms().priority() == 0 ? null : record.terms().priority(),
                record.terms().lockstep() ? true : null,
                promise == null ? null : window(promise.window(), record.tariff()),
                record.ownership().reservation(),
                null,
                RuntimeSourceSpec.of(record.terms().source()),
                null,
                worth == null ? null : worth.hour().toString(),
                worth == null || worth.until() == Interval.FOREVER ? null : instant(worth.until()),
                worth == null ? null : instant(worth.since()),
                bound == null ? null : instant(bound.start()),
                bound == null ? null : instant(bound.end()),
                bound == null ? null : bound.cost().microSecondsPerHour(),
                record.terms().after().stream()
                        .map(before ->
                                new ReservationSpec.After(before.gang().toString(), optionalInstant(before.end())))
                        .toList(),
                promise == null
                        ? List.of()
                        : promise.orders().stream().map(PurchaseSpec::of).toList(),
                PreferredSpec.of(record.terms().preferences()),
                record.terms().queue(),
                ReservationSpec.Borrowed.of(promise));
    }

    /** Returns the status of a record, except the epoch of the writing replica. */
    public static ReservationStatus status(GangRecord record) {
        History history = record.history();
        List<ReservationStatus.Avoided> avoided = new ArrayList<>();
        record.avoided()
                .forEach((node, avoidance) -> avoided.add(new ReservationStatus.Avoided(
                        node, instant(avoidance.until()), orNull(avoidance.pod()), orNull(avoidance.node()))));
        List<ReservationStatus.End> ends = new ArrayList<>();
        history.ends().forEach((pod, end) -> ends.add(new ReservationStatus.End(pod, instant(end))));
        List<ReservationStatus.Undone> undone = new ArrayList<>();
        history.undone().forEach((uid, node) -> undone.add(new ReservationStatus.Undone(uid, node)));
        Promise promise = record.whole();
        List<String> members = promise == null || history.members().isEmpty()
                ? List.of()
                : promise.window().placements().stream()
                        .map(placement -> history.members().getOrDefault(placement.pod(), ""))
                        .toList();
        return new ReservationStatus(
                record.phase(),
                List.of(condition(PLANNED, record.plannedAspect()), condition(STARTED, record.startedAspect())),
                optionalInstant(history.promisedStart()),
                history.first() == null ? null : instant(history.first().by()),
                optionalInstant(history.startedAt()),
                optionalInstant(history.endedAt()),
                ends,
                history.attempts(),
                history.passed(),
                avoided,
                past(history.history()),
                optionalInstant(history.releasedAt()),
                members,
                undone,
                lastRefusal(history.lastRefusal()),
                promise == null
                        ? null
                        : Tariffs.sizes(history.sizes(), promise.window().placements()),
                null);
    }

    /** Reads the last refusal. One by an unknown actor, from a newer version of Slotwise, is ignored. */
    private static @Nullable LastRefusal lastRefusal(ReservationStatus.@Nullable Refused refused) {
        LastRefusal.By by = refused == null ? null : LastRefusal.By.of(refused.by());
        return refused == null || by == null
                ? null
                : new LastRefusal(by, refused.pods(), refused.refused(), refused.message());
    }

    private static ReservationStatus.@Nullable Refused lastRefusal(@Nullable LastRefusal last) {
        return last == null
                ? null
                : new ReservationStatus.Refused(last.by().key(), last.pods(), last.refused(), last.words());
    }

    private static @Nullable MigrationHistory past(@Nullable PastSpec spec) {
        if (spec == null) {
            return null;
        }
        if (spec.runs().isEmpty()) {
            throw new IllegalArgumentException("`status.past.runs` is empty: expected the runs that ended by a move");
        }
        TreeMap<String, Long> request = new TreeMap<>();
        spec.request().forEach(amount -> request.put(amount.name(), amount.amount()));
        List<MigrationHistory.Leg> legs = spec.runs().stream()
                .map(run -> new MigrationHistory.Leg(
                        RecordTime.second(run.start()),
                        RecordTime.second(run.end()),
                        new Cost(run.exactPromised()),
                        new Charge(
                                Ledgers.cost(run.exactCharged(), run.wholeCharged()),
                                Ledgers.cost(run.exactOverrun(), run.wholeOverrun())),
                        RecordTime.second(run.endedAt()),
                        run.stay()))
                .toList();
        int moves = (int) legs.stream().filter(leg -> !leg.stay()).count();
        return new MigrationHistory(
                legs,
                seconds("status.past.workSeconds", spec.workSeconds()),
                seconds("status.past.overheadSeconds", spec.overheadSeconds()),
                Ledgers.cost(spec.exactSpent(), spec.wholeSpent()),
                Resources.of(request),
                new TreeSet<>(spec.leaving()),
                spec.podsBackAt() == null ? 0 : RecordTime.second(spec.podsBackAt()),
                Math.max(spec.moves(), moves),
                Ledgers.cost(spec.exactPerSecond(), spec.wholePerSecond()),
                spec.lostPodSeconds());
    }

    private static @Nullable PastSpec past(@Nullable MigrationHistory history) {
        if (history == null) {
            return null;
        }
        List<PastSpec.Amount> request = new ArrayList<>();
        history.request().asMap().forEach((name, amount) -> request.add(new PastSpec.Amount(name, amount)));
        return new PastSpec(
                history.legs().stream()
                        .map(leg -> new PastSpec.Run(
                                instant(leg.start()),
                                instant(leg.end()),
                                instant(leg.endedAt()),
                                leg.promised().microSecondsPerHour(),
                                Ledgers.exact(leg.charge().chargedCost()),
                                Ledgers.exact(leg.charge().overrunCost()),
                                Ledgers.whole(leg.charge().chargedCost()),
                                Ledgers.whole(leg.charge().overrunCost()),
                                leg.stay()))
                        .toList(),
                history.work(),
                history.overhead(),
                Ledgers.exact(history.spent()),
                Ledgers.whole(history.spent()),
                request,
                List.copyOf(history.leaving()),
                instant(history.back()),
                history.times(),
                Ledgers.exact(history.cost()),
                Ledgers.whole(history.cost()),
                history.lost());
    }

    private static @Nullable Promise promise(GangId gang, ReservationSpec spec, Phase phase) {
        WindowSpec window = spec.window();
        if (window == null) {
            return null;
        }
        List<Placement> places = new ArrayList<>();
        for (PlacementSpec placement : window.placement()) {
            places.add(new Placement(
                    placement.pod(),
                    placement.node(),
                    placement.startSecond(),
                    placement.endSecond(),
                    new Cost(placement.exactCost())));
        }
        places.sort(Comparator.comparing(Placement::pod));
        places.forEach(placement -> check(placement, window.startSecond()));
        if (places.isEmpty()) {
            throw new IllegalArgumentException("`spec.window.placement` is empty: expected a place for each pod");
        }
        Cost cost = places.stream().map(Placement::cost).reduce(Cost.ZERO, Cost::plus);
        if (cost.compareTo(new Cost(window.exactCost())) > 0) {
            throw new IllegalArgumentException(
                    "the cost of `spec.window` (%d) is not valid: expected at least the %s of its places"
                            .formatted(window.exactCost(), cost.exact()));
        }
        boolean released = phase != Phase.PENDING && phase != Phase.PROMISED;
        return new Promise(
                new Window(
                        gang,
                        window.startSecond(),
                        places,
                        new Cost(window.exactCost()),
                        window.exactEnergy() == null ? Window.UNKNOWN_ENERGY : window.exactEnergy()),
                via(spec.via()),
                released,
                bound(spec),
                spec.purchases().stream().map(PurchaseSpec::order).toList(),
                ReservationSpec.Borrowed.read(spec.borrowed()));
    }

    /** Returns the bounds of the promise besides the window; null if the window itself is promised. */
    private static @Nullable PromiseBound bound(ReservationSpec spec) {
        return spec.promisedBy() == null || spec.promisedEnd() == null || spec.exactPromisedCost() == null
                ? null
                : new PromiseBound(
                        RecordTime.second(spec.promisedBy()),
                        RecordTime.second(spec.promisedEnd()),
                        new Cost(spec.exactPromisedCost()));
    }

    private static void check(Placement placement, long start) {
        if (placement.start() >= placement.end()
                || placement.end() <= start
                || placement.cost().compareTo(Cost.ZERO) < 0) {
            throw new IllegalArgumentException(
                    ("the place of pod %s, from %s to %s for %s, is not valid: expected seconds in it, an end "
                                    + "after the window's start (%s) and a cost that is not negative")
                            .formatted(
                                    SafeText.value(placement.pod()),
                                    instant(placement.start()),
                                    instant(placement.end()),
                                    placement.cost().exact(),
                                    instant(start)));
        }
    }

    private static long seconds(String field, long seconds) {
        if (seconds < 0 || seconds > LONGEST_RUNTIME) {
            throw new IllegalArgumentException(
                    "`%s` (%d) is not valid: expected between 0 and %d".formatted(field, seconds, LONGEST_RUNTIME));
        }
        return seconds;
    }

    private static WindowOrigin via(@Nullable String key) {
        for (WindowOrigin origin : WindowOrigin.values()) {
            if (origin.key().equals(key)) {
                return origin;
            }
        }
        return WindowOrigin.CYCLIC;
    }

    /**
     * Writes a window. The shown costs of pods are rounded down, and the last pod by name takes the rest, so that they
     * add up to the window's. A long holds every window's cost: the planner excludes nodes that would cost more ({@code
     * Exclusion.PRICE}), and {@link #promise} rejects such windows.
     */
    private static WindowSpec window(Window window, PromiseTariff tariff) {
        Money total = window.cost().roundedUp();
        List<PlacementSpec> places = new ArrayList<>();
        long left = total.micros();
        int last = window.placements().size() - 1;
        for (int i = 0; i <= last; i++) {
            Placement placement = window.placements().get(i);
            long shown = i == last ? left : placement.cost().roundedDown().micros();
            left -= shown;
            places.add(new PlacementSpec(
                    placement.pod(),
                    placement.node(),
                    instant(placement.start()),
                    instant(placement.end()),
                    new Money(shown).toString(),
                    placement.cost().microSecondsPerHour(),
                    tariff.shapes().get(placement.pod())));
        }
        return new WindowSpec(
                instant(window.start()),
                instant(window.end()),
                total.toString(),
                window.cost().microSecondsPerHour(),
                window.energy() == Window.UNKNOWN_ENERGY ? null : window.energy(),
                places,
                Tariffs.rates(window.start(), tariff),
                Tariffs.requests(tariff));
    }

    private static Aspect aspect(ReservationStatus status, String type, long created) {
        for (ReservationStatus.Condition condition : status.conditions()) {
            if (condition.type().equals(type)) {
                return new Aspect(
                        condition.status().equals("True"),
                        condition.reason().isEmpty() ? UNKNOWN : condition.reason(),
                        condition.message(),
                        RefusalFigures.read(condition.key(), condition.figures(), condition.message()),
                        RecordTime.second(condition.lastTransitionTime()));
            }
        }
        return new Aspect(false, UNKNOWN, "", null, created);
    }

    private static ReservationStatus.Condition condition(String type, Aspect aspect) {
        Refusal refusal = aspect.refusal();
        return new ReservationStatus.Condition(
                type,
                aspect.holds() ? "True" : "False",
                aspect.reason(),
                aspect.message(),
                instant(aspect.since()),
                refusal == null ? null : refusal.key(),
                refusal == null ? Map.of() : RefusalFigures.of(refusal));
    }

    /** Returns seconds since the epoch as RFC 3339 text. */
    public static String instant(long second) {
        return Instant.ofEpochSecond(second).toString();
    }

    private static @Nullable String optionalInstant(OptionalLong second) {
        return second.isPresent() ? instant(second.getAsLong()) : null;
    }

    private static OptionalLong optionalSecond(@Nullable String instant) {
        return instant == null ? OptionalLong.empty() : OptionalLong.of(RecordTime.second(instant));
    }

    private static boolean isLabel(String name) {
        return name.length() <= LONGEST_LABEL && name.matches("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
