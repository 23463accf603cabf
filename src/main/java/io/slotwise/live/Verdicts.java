package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Tariff;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.reservation.Takeovers;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.Announcer.Reason;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a plan means for the gangs in it. */
final class Verdicts {
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z");
    /** A sentence is left as it is while its instants are no further off than this: they move with every cycle, and each change is a write. */
    private static final Duration NEARLY = Duration.ofMinutes(1);

    private final long now;
    private final PromisedPrices prices;
    private final Takeovers takeovers;
    private final boolean first;

    /**
     * Verdicts of one cycle.
     *
     * @param first whether this replica did not look a moment ago: another one may have died between a verdict and telling it
     */
    Verdicts(long now, PromisedPrices prices, Takeovers takeovers, boolean first) {
        this.now = now;
        this.prices = prices;
        this.takeovers = takeovers;
        this.first = first;
    }

    /** The second for which they are given. */
    long now() {
        return now;
    }

    /** A promise that could not be kept. */
    void broken(Draft draft, BrokenPromise broken) {
        if (draft.after().promise() != null) {
            draft.breakPromise(broken.cause(), broken.message(), now);
        }
    }

    /** A gang that runs and is to be stopped. What it has done and cost until now is written with its new window. */
    void moved(Draft draft, Move move, List<Member> members) {
        Standing standing = draft.after();
        Standing.History history = standing.history();
        Past before = history.past();
        Window window = move.from();
        Charge.Course course = new Charge.Course(
                history.startedAt().orElse(window.start()),
                Map.of(),
                now,
                standing.terms().lockstep());
        Charge charge = Charge.of(window, standing.tariff(), course);
        Past.Leg leg = new Past.Leg(window.start(), window.end(), window.cost(), charge, now);
        Past past = new Past(
                Past.after(before == null ? List.of() : before.legs(), leg),
                move.work(),
                move.gang().runtime() - move.work(),
                before == null ? charge.total() : before.spent().plus(charge.total()),
                Resources.most(move.gang().shapes().stream()
                        .map(shape -> shape.request().resources())
                        .toList()),
                members.stream().map(Member::uid).collect(Collectors.toCollection(TreeSet::new)),
                move.back(),
                before == null ? 1 : before.times() + 1);
        draft.move(move, past, members, now);
    }

    /** A gang that has a window. */
    void planned(Draft draft, Planned planned) {
        Standing standing = draft.after();
        Promise promise = standing.promise();
        Window window = planned.window();
        if (promise != null && promise.window().equals(window)) {
            draft.become(standing.in(standing.phase() == Phase.STARTING ? Phase.STARTING : Phase.PROMISED)
                    .planned(true, "Promised", words(window), now));
            return;
        }
        if (standing.phase() == Phase.STARTING) {
            draft.become(standing);
            return;
        }
        Standing.History history =
                standing.phase().started() ? standing.history().again() : standing.history();
        GangId host = takeovers.holdOf(planned.gang().id());
        Tariff tariff = takeovers.tariffOf(planned.gang().id());
        draft.become(standing.promised(
                        new Promise(window, planned.via(), false), tariff == null ? prices.of(planned) : tariff)
                .by(tenure(standing, host))
                .in(Phase.PROMISED)
                .with(history.promised(window.start()))
                .planned(true, "Promised", words(window), now));
        if (promise == null) {
            draft.markPromised();
            draft.tell(Reason.WINDOW_PROMISED, words(window));
        } else if (window.improves(promise.window(), planned.gang().criterion())) {
            draft.tell(Reason.WINDOW_IMPROVED, words(window) + "; before: " + words(promise.window()));
        } else {
            draft.tell(
                    Reason.WINDOW_MOVED,
                    words(window) + "; as before, but on other nodes: so another gang starts sooner");
        }
    }

    private static Tenure tenure(Standing standing, @Nullable GangId host) {
        if (standing.tenure().isHeld()) {
            return standing.tenure();
        }
        return host == null ? Tenure.own() : new Tenure.Part(host.name());
    }

    /**
     * A gang that has none, or that waits for its pods to be made again before its window. Why is told when more than an instant in the sentence
     * is new, since those change with every other gang; and once more by a replica that takes over.
     */
    void pending(Draft draft, Pending pending) {
        Refusal refusal = pending.refusal();
        if (draft.after().promise() != null && refusal instanceof Refusal.Failed) {
            // An error of Slotwise's own costs nobody what he was promised.
            return;
        }
        if (draft.after().promise() != null
                && refusal instanceof Refusal.WaitingForMembers
                && draft.after().history().awaitsPods(now)) {
            return;
        }
        if (draft.after().promise() != null) {
            draft.breakPromise(BrokenPromise.Cause.EDITED, refusal.message(), now);
        }
        Standing before = draft.before();
        String reason = reason(refusal);
        boolean said = before.planned().reason().equals(reason)
                && timeless(before.planned().message()).equals(timeless(refusal.message()));
        Reason event = event(refusal);
        if (event != null && (first || !said)) {
            draft.tell(event, refusal.message());
        }
        String message = said && isNearly(before.planned().message(), refusal.message())
                ? before.planned().message()
                : refusal.message();
        draft.become(draft.after().in(Phase.PENDING).planned(false, reason, message, now));
    }

    /** Whether two sentences say the same but for instants that have hardly moved. */
    static boolean isSameButFor(String before, String after) {
        return before.equals(after) || (timeless(before).equals(timeless(after)) && isNearly(before, after));
    }

    /** Whether the instants in two sentences that are alike otherwise are about the same. */
    static boolean isNearly(String before, String after) {
        Matcher old = INSTANT.matcher(before);
        return INSTANT.matcher(after).results().allMatch(found -> old.find() && areClose(old.group(), found.group()));
    }

    private static boolean areClose(String one, String other) {
        try {
            return one.equals(other)
                    || Duration.between(Instant.parse(one), Instant.parse(other))
                                    .abs()
                                    .compareTo(NEARLY)
                            < 0;
        } catch (DateTimeException quoted) {
            // What a user wrote.
            return false;
        }
    }

    private static String timeless(String sentence) {
        return INSTANT.matcher(sentence).replaceAll("");
    }

    private static String reason(Refusal refusal) {
        return switch (refusal) {
            case Refusal.InvalidRequest _ -> "InvalidRequest";
            case Refusal.WaitingForMembers _ -> "WaitingForMembers";
            case Refusal.WaitingForGroup _ -> "WaitingForGroup";
            case Refusal.OverBudget _, Refusal.OverSlotPrice _, Refusal.NamespaceBudget _ -> "OverBudget";
            case Refusal.NoEligibleNode _,
                    Refusal.TooLarge _,
                    Refusal.Deadline _,
                    Refusal.LongerThanHorizon _,
                    Refusal.BeyondHorizon _,
                    Refusal.EndsBeyondHorizon _,
                    Refusal.BehindPromises _,
                    Refusal.NoWindow _,
                    Refusal.NoDomain _,
                    Refusal.NotBackfilled _,
                    Refusal.NotBefore _,
                    Refusal.ForeignGate _ -> "NoWindow";
            case Refusal.BatchLimit _ -> "BatchLimit";
            case Refusal.Behind _ -> "Behind";
            case Refusal.AwaitsReservation _ -> "AwaitsReservation";
            case Refusal.Failed _ -> Reason.INTERNAL_ERROR.key();
        };
    }

    private static @Nullable Reason event(Refusal refusal) {
        return switch (refusal) {
            case Refusal.InvalidRequest _ -> Reason.INVALID_REQUEST;
            case Refusal.OverBudget _, Refusal.OverSlotPrice _, Refusal.NamespaceBudget _ -> Reason.OVER_BUDGET;
            case Refusal.NoEligibleNode _,
                    Refusal.TooLarge _,
                    Refusal.Deadline _,
                    Refusal.LongerThanHorizon _,
                    Refusal.BeyondHorizon _,
                    Refusal.EndsBeyondHorizon _,
                    Refusal.BehindPromises _,
                    Refusal.NoWindow _,
                    Refusal.NoDomain _,
                    Refusal.NotBackfilled _,
                    Refusal.NotBefore _,
                    Refusal.ForeignGate _,
                    Refusal.BatchLimit _,
                    Refusal.Behind _,
                    Refusal.AwaitsReservation _ -> Reason.NO_WINDOW;
            case Refusal.Failed _ -> Reason.INTERNAL_ERROR;
            case Refusal.WaitingForMembers _, Refusal.WaitingForGroup _ -> null;
        };
    }

    /** A window in one line. */
    static String words(Window window) {
        int pods = window.placements().size();
        long nodes =
                window.placements().stream().map(Placement::node).distinct().count();
        return "%s to %s, %d %s on %d %s, cost %s"
                .formatted(
                        Instant.ofEpochSecond(window.start()),
                        Instant.ofEpochSecond(window.end()),
                        pods,
                        pods == 1 ? "pod" : "pods",
                        nodes,
                        nodes == 1 ? "node" : "nodes",
                        window.cost().roundedUp().brief());
    }
}
