package io.slotwise.web;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.advice.Advisor;
import io.slotwise.core.planner.advice.Quoter;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.window.Window;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.random.SeededRandom;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.QuoteReport;
import io.slotwise.web.PlannerAnswer.AdviceAnswer;
import io.slotwise.web.PlannerAnswer.BuyingAnswer;
import io.slotwise.web.PlannerAnswer.ChoiceAnswer;
import io.slotwise.web.PlannerAnswer.DomainsAnswer;
import io.slotwise.web.access.Bulkhead;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of gangs: from their Reservations on every replica, from the last plan on the one that plans. Advice
 * and quotes are worked out on the caller's thread from the last published snapshot, so that no cycle waits for them;
 * one at a time, and an advice once for each plan.
 */
public final class GangAnswers {
    private final Supplier<@Nullable Latest> latestCycle;
    private final ClusterView view;
    private final InstantSource clock;
    private final Function<GangId, List<GangDiary.Entry>> told;
    private final Supplier<Currency> currency;
    private final Bulkhead bulkhead = new Bulkhead();
    /** What was advised on the last plan, which is the only key: by identity, since plans are large. */
    private final IdentityHashMap<Latest, Map<GangId, List<AdviceAnswer>>> advised = new IdentityHashMap<>();

    /**
     * Answers from a replica.
     *
     * @param latest the last plan, or null on a replica that does not plan
     * @param clock no window that is offered starts before its second
     * @param told what this replica has told of a gang, oldest first
     */
    public GangAnswers(
            Supplier<@Nullable Latest> latest,
            ClusterView view,
            InstantSource clock,
            Function<GangId, List<GangDiary.Entry>> told,
            Supplier<Currency> currency) {
        this.latestCycle = latest;
        this.view = view;
        this.clock = clock;
        this.told = told;
        this.currency = currency;
    }

    /** The second that answers are true for. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    Currency currency() {
        return currency.get();
    }

    /** Answers of a replica that does not remember what it told, and whose policy names no currency. */
    public GangAnswers(Supplier<@Nullable Latest> latest, ClusterView view, InstantSource clock) {
        this(latest, view, clock, _ -> List.of(), () -> Currency.NONE);
    }

    /**
     * All gangs of these namespaces, by namespace and name.
     *
     * @param seen namespaces of which the reader may see the gangs
     */
    public List<GangRow> rows(Predicate<String> namespace, Predicate<String> seen) {
        Currency currency = currency();
        Latest latest = latestCycle.get();
        Map<GangId, Refusal> refusals = latest == null
                ? Map.of()
                : latest.carriedOutPlan().pending().stream()
                        .collect(Collectors.toMap(Pending::gang, Pending::refusal, (first, _) -> first));
        Map<GangId, Gang> gangs = latest == null
                ? Map.of()
                : latest.snapshot().requests().stream()
                        .map(Request::gang)
                        .collect(Collectors.toMap(Gang::id, gang -> gang));
        return view.records().stream()
                .filter(record -> namespace.test(record.gang().namespace()))
                .sorted(Comparator.comparing(GangRecord::gang))
                .map(record -> row(
                        record, known(record, refusals.get(record.gang()), seen), gangs.get(record.gang()), currency))
                .toList();
    }

    /** A gang as its Reservation shows it. */
    public static GangRow row(GangRecord record) {
        return row(record, record.plannedAspect().refusal(), null, Currency.NONE);
    }

    private static GangRow row(GangRecord record, @Nullable Refusal refusal, @Nullable Gang gang, Currency currency) {
        Window window = record.promise() == null ? null : record.promise().window();
        Money budget = record.terms().budget();
        return new GangRow(
                record.gang().toString(),
                record.phase().key(),
                record.plannedAspect().reason(),
                refusal == null ? null : refusal.key(),
                GangAnswer.message(record, refusal, currency),
                window == null ? null : instant(window.start()),
                GangAnswer.optional(record.promisedBy()),
                window == null ? null : instant(window.end()),
                window == null ? null : window.cost().shown(),
                budget == null ? null : budget.toString(),
                size(window, gang, refusal),
                instant(record.history().seen()),
                record.ownership().isHeld() ? GangRow.RESERVATION : GangRow.GANG,
                record.ownership().reservation());
    }

    private static @Nullable Integer size(@Nullable Window window, @Nullable Gang gang, @Nullable Refusal refusal) {
        if (window != null) {
            return window.placements().size();
        }
        if (gang != null) {
            return gang.size();
        }
        return refusal instanceof Refusal.WaitingForMembers waiting ? waiting.size() : null;
    }

    private static String instant(long second) {
        return Instant.ofEpochSecond(second).toString();
    }

    /** Why a gang waits, as a reader may know it; null: its record gives no reason. */
    private static @Nullable Refusal known(
            GangRecord record, @Nullable Refusal plannedRefusal, Predicate<String> seen) {
        Refusal refusal = record.reason(plannedRefusal);
        return refusal == null ? null : refusal.asSeen(seen);
    }

    /**
     * All that is known of a gang; empty: nothing.
     *
     * @param advised whether it is worked out what would make it start, or start earlier
     * @param seen namespaces of which the reader may see the gangs
     * @throws Bulkhead.Busy if that would take too long now
     */
    public Optional<GangAnswer> gang(GangId gang, boolean advised, Predicate<String> seen) {
        GangRecord record = view.record(gang);
        if (record == null) {
            return Optional.empty();
        }
        Latest latest = latestCycle.get();
        return Optional.of(GangAnswer.of(
                record,
                known(record, latest == null ? null : refusal(latest, gang), seen),
                latest == null || record.phase().started()
                        ? PlannerAnswer.SILENT
                        : new PlannerAnswer(
                                choice(latest, gang).orElse(null),
                                domains(latest, gang),
                                advised ? advice(latest, gang) : null,
                                buying(latest, gang)),
                GangStory.of(record.history(), told.apply(gang), seen),
                new GangAnswer.Reader(seen, currency(), now())));
    }

    /** What one would buy for a gang, where nothing is bought. */
    private static @Nullable BuyingAnswer buying(Latest latest, GangId gang) {
        return latest.settings().policy().provisioning().mode() != Mode.PLAN
                ? null
                : latest.plan().buying().stream()
                        .filter(advice -> advice.gang().id().equals(gang))
                        .findFirst()
                        .map(advice -> BuyingAnswer.of(advice, latest.plan().now()))
                        .orElse(null);
    }

    private static @Nullable DomainsAnswer domains(Latest latest, GangId gang) {
        return latest.carriedOutPlan().domains().stream()
                .filter(domains -> domains.gang().equals(gang))
                .findFirst()
                .map(DomainsAnswer::of)
                .orElse(null);
    }

    private static @Nullable Refusal refusal(Latest latest, GangId gang) {
        return latest.carriedOutPlan().pending().stream()
                .filter(pending -> pending.gang().equals(gang))
                .map(Pending::refusal)
                .findFirst()
                .orElse(null);
    }

    private static Optional<ChoiceAnswer> choice(Latest latest, GangId gang) {
        return latest.carriedOutPlan().choices().stream()
                .filter(choice -> choice.gang().equals(gang))
                .findFirst()
                .map(ChoiceAnswer::of);
    }

    /** The last plan as it stands now. */
    private Snapshot published(Latest latest) {
        return latest.snapshot().published(latest.plan()).from(clock.instant().getEpochSecond());
    }

    private List<AdviceAnswer> advice(Latest latest, GangId gang) {
        boolean planned = latest.snapshot().requests().stream()
                .anyMatch(request -> request.gang().id().equals(gang));
        return planned ? bulkhead.take(() -> advisedOn(latest, gang)) : List.of();
    }

    /** Within one's turn. */
    private List<AdviceAnswer> advisedOn(Latest latest, GangId gang) {
        if (!advised.containsKey(latest)) {
            advised.clear();
        }
        return advised.computeIfAbsent(latest, _ -> new HashMap<>()).computeIfAbsent(gang, id -> {
            Snapshot publishedSnapshot = published(latest);
            GangRecord record = view.record(id);
            List<Advice> advice = new Advisor(latest.settings().policy(), SeededRandom.L64X128)
                    .advise(
                            publishedSnapshot,
                            id,
                            record == null ? null : record.terms().source());
            return advice.stream()
                    .map(one -> AdviceAnswer.of(one, latest.settings().currency()))
                    .toList();
        });
    }

    /**
     * The menu of a gang beside all that runs and is promised.
     *
     * @param gang which need not be in the cluster
     * @param ofANamespace whether it is one of its namespace, whose budget then counts; else no namespace's does
     * @param seen namespaces of which the reader may see the gangs
     * @throws Bulkhead.Busy if that would take too long now
     */
    public QuoteReport quote(Latest latest, Gang gang, boolean ofANamespace, Predicate<String> seen) {
        Snapshot publishedSnapshot =
                ofANamespace ? published(latest) : published(latest).withAccounts(List.of());
        Quoter quoter = new Quoter(latest.settings().policy());
        return QuoteReport.of(
                publishedSnapshot.now(),
                gang,
                bulkhead.take(() -> quoter.quote(publishedSnapshot, gang)).asSeen(seen),
                latest.settings().currency());
    }
}
