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
 * Answers about gangs: from Reservations on every replica, and from the last plan on the one that plans. Advice and
 * quotes are computed on the caller's thread from the last published snapshot, one at a time; advice once for each
 * plan.
 */
public final class GangAnswers {
    private final Supplier<@Nullable Latest> latestCycle;
    private final ClusterView view;
    private final InstantSource clock;
    private final Function<GangId, List<GangDiary.Entry>> told;
    private final Supplier<Currency> currency;
    private final Bulkhead bulkhead = new Bulkhead();
    /** The advice on the last plan. The key is compared by identity, because plans are large. */
    private final IdentityHashMap<Latest, Map<GangId, List<AdviceAnswer>>> advised = new IdentityHashMap<>();

    /**
     * Creates answers.
     *
     * @param latest returns the last plan, or null on a replica that does not plan
     * @param clock the second from which on windows are offered
     * @param told returns this replica's announcements of a gang, oldest first
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

    /** Returns the second to which answers refer. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    Currency currency() {
        return currency.get();
    }

    public GangAnswers(Supplier<@Nullable Latest> latest, ClusterView view, InstantSource clock) {
        this(latest, view, clock, _ -> List.of(), () -> Currency.NONE);
    }

    /**
     * Returns the gangs of these namespaces, by namespace and name; {@code seen} tells of which namespaces the reader
     * may see gangs.
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
                        record,
                        known(record, refusals.get(record.gang()), seen),
                        gangs.get(record.gang()),
                        position(latest, record),
                        currency))
                .toList();
    }

    public static GangRow row(GangRecord record) {
        return row(record, record.plannedAspect().refusal(), null, null, Currency.NONE);
    }

    /** Returns the place of a gang in its queue by the last plan. Null if it has started, or is in no queue. */
    private static @Nullable Integer position(@Nullable Latest latest, GangRecord record) {
        return latest == null || record.phase().started()
                ? null
                : latest.carriedOutPlan().positions().get(record.gang());
    }

    private static GangRow row(
            GangRecord record,
            @Nullable Refusal refusal,
            @Nullable Gang gang,
            @Nullable Integer position,
            Currency currency) {
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
                record.ownership().reservation(),
                record.terms().queue(),
                position);
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

    /** Returns why a gang waits, as the reader may know it. Null if the record has no reason. */
    private static @Nullable Refusal known(
            GangRecord record, @Nullable Refusal plannedRefusal, Predicate<String> seen) {
        Refusal refusal = record.reason(plannedRefusal);
        return refusal == null ? null : refusal.asSeen(seen);
    }

    /**
     * Returns all information about a gang. Empty if there is none.
     *
     * @param advised whether to compute advice for an earlier start
     * @param seen tells of which namespaces the reader may see gangs
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
                                buying(latest, gang),
                                position(latest, record)),
                GangStory.of(record.history(), told.apply(gang), seen),
                new GangAnswer.Reader(seen, currency(), now())));
    }

    /** Returns what could be bought for a gang, unless nodes are bought automatically. */
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

    private Snapshot published(Latest latest) {
        return latest.snapshot().published(latest.plan()).from(clock.instant().getEpochSecond());
    }

    private List<AdviceAnswer> advice(Latest latest, GangId gang) {
        boolean planned = latest.snapshot().requests().stream()
                .anyMatch(request -> request.gang().id().equals(gang));
        return planned ? bulkhead.take(() -> advisedOn(latest, gang)) : List.of();
    }

    /** Precondition: the caller has its turn. */
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
     * Returns the menu of a gang next to everything that runs and is promised.
     *
     * @param gang which need not be in the cluster
     * @param ofANamespace whether the budget of the gang's namespace applies
     * @param seen tells of which namespaces the reader may see gangs
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
