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
    private final Supplier<@Nullable Latest> planner;
    private final ClusterView view;
    private final InstantSource clock;
    private final Function<GangId, List<GangDiary.Entry>> told;
    private final Supplier<Currency> money;
    private final Bulkhead turn = new Bulkhead();
    /** What was advised on the last plan, which is the only key: by identity, since plans are large. */
    private final IdentityHashMap<Latest, Map<GangId, List<AdviceAnswer>>> advised = new IdentityHashMap<>();

    /**
     * Answers from a replica.
     *
     * @param planner the last plan, or null on a replica that does not plan
     * @param clock no window that is offered starts before its second
     * @param told what this replica has told of a gang, oldest first
     */
    public GangAnswers(
            Supplier<@Nullable Latest> planner,
            ClusterView view,
            InstantSource clock,
            Function<GangId, List<GangDiary.Entry>> told,
            Supplier<Currency> money) {
        this.planner = planner;
        this.view = view;
        this.clock = clock;
        this.told = told;
        this.money = money;
    }

    /** The second that answers are true for. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    Currency currency() {
        return money.get();
    }

    /** Answers of a replica that does not remember what it told, and whose policy names no currency. */
    public GangAnswers(Supplier<@Nullable Latest> planner, ClusterView view, InstantSource clock) {
        this(planner, view, clock, _ -> List.of(), () -> Currency.NONE);
    }

    /**
     * All gangs of these namespaces, by namespace and name.
     *
     * @param seen namespaces of which the reader may see the gangs
     */
    public List<GangRow> rows(Predicate<String> namespace, Predicate<String> seen) {
        Currency currency = currency();
        Latest latest = planner.get();
        Map<GangId, Refusal> refusals = latest == null
                ? Map.of()
                : latest.carriedOut().pending().stream()
                        .collect(Collectors.toMap(Pending::gang, Pending::refusal, (first, _) -> first));
        Map<GangId, Gang> gangs = latest == null
                ? Map.of()
                : latest.snapshot().requests().stream()
                        .map(Request::gang)
                        .collect(Collectors.toMap(Gang::id, gang -> gang));
        return view.standings().stream()
                .filter(standing -> namespace.test(standing.gang().namespace()))
                .sorted(Comparator.comparing(GangRecord::gang))
                .map(standing -> row(
                        standing,
                        known(standing, refusals.get(standing.gang()), seen),
                        gangs.get(standing.gang()),
                        currency))
                .toList();
    }

    /** A gang as its Reservation shows it. */
    public static GangRow row(GangRecord standing) {
        return row(standing, standing.planned().refusal(), null, Currency.NONE);
    }

    private static GangRow row(GangRecord standing, @Nullable Refusal refusal, @Nullable Gang gang, Currency currency) {
        Window window = standing.promise() == null ? null : standing.promise().window();
        Money budget = standing.terms().budget();
        return new GangRow(
                standing.gang().toString(),
                standing.phase().key(),
                standing.planned().reason(),
                refusal == null ? null : refusal.key(),
                GangAnswer.message(standing, refusal, currency),
                window == null ? null : instant(window.start()),
                GangAnswer.optional(standing.promisedBy()),
                window == null ? null : instant(window.end()),
                window == null ? null : window.cost().shown(),
                budget == null ? null : budget.toString(),
                size(window, gang, refusal),
                instant(standing.history().seen()),
                standing.tenure().isHeld() ? GangRow.RESERVATION : GangRow.GANG,
                standing.tenure().reservation());
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
    private static @Nullable Refusal known(GangRecord standing, @Nullable Refusal planned, Predicate<String> seen) {
        Refusal reason = standing.reason(planned);
        return reason == null ? null : reason.asSeen(seen);
    }

    /**
     * All that is known of a gang; empty: nothing.
     *
     * @param advised whether it is worked out what would make it start, or start earlier
     * @param seen namespaces of which the reader may see the gangs
     * @throws Bulkhead.Busy if that would take too long now
     */
    public Optional<GangAnswer> gang(GangId gang, boolean advised, Predicate<String> seen) {
        GangRecord standing = view.standing(gang);
        if (standing == null) {
            return Optional.empty();
        }
        Latest latest = planner.get();
        return Optional.of(GangAnswer.of(
                standing,
                known(standing, latest == null ? null : refusal(latest, gang), seen),
                latest == null || standing.phase().started()
                        ? PlannerAnswer.SILENT
                        : new PlannerAnswer(
                                choice(latest, gang).orElse(null),
                                domains(latest, gang),
                                advised ? advice(latest, gang) : null,
                                buying(latest, gang)),
                GangStory.of(standing.history(), told.apply(gang), seen),
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
        return latest.carriedOut().domains().stream()
                .filter(domains -> domains.gang().equals(gang))
                .findFirst()
                .map(DomainsAnswer::of)
                .orElse(null);
    }

    private static @Nullable Refusal refusal(Latest latest, GangId gang) {
        return latest.carriedOut().pending().stream()
                .filter(pending -> pending.gang().equals(gang))
                .map(Pending::refusal)
                .findFirst()
                .orElse(null);
    }

    private static Optional<ChoiceAnswer> choice(Latest latest, GangId gang) {
        return latest.carriedOut().choices().stream()
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
        return planned ? turn.take(() -> advisedOn(latest, gang)) : List.of();
    }

    /** Within one's turn. */
    private List<AdviceAnswer> advisedOn(Latest latest, GangId gang) {
        if (!advised.containsKey(latest)) {
            advised.clear();
        }
        return advised.computeIfAbsent(latest, _ -> new HashMap<>()).computeIfAbsent(gang, id -> {
            Snapshot published = published(latest);
            GangRecord standing = view.standing(id);
            List<Advice> advice = new Advisor(latest.settings().policy(), SeededRandom.L64X128)
                    .advise(
                            published,
                            id,
                            standing == null ? null : standing.terms().source());
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
        Snapshot published =
                ofANamespace ? published(latest) : published(latest).withAccounts(List.of());
        Quoter quoter = new Quoter(latest.settings().policy());
        return QuoteReport.of(
                published.now(),
                gang,
                turn.take(() -> quoter.quote(published, gang)).asSeen(seen),
                latest.settings().currency());
    }
}
