package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.reservation.ReservationClaims;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.start.WindowText;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a plan means for the gangs in it.
 *
 * @param now the second of the cycle
 * @param currency what stands beside money
 * @param news what gangs were told before
 */
public record PlanOutcomes(
        long now, PromisedPrices prices, ReservationClaims takeovers, Currency currency, PlanOutcomes.News news) {
    /** What gangs know of why they wait. */
    interface News {
        /** Whether a gang has not been told of this. */
        boolean isNew(GangRecord record, Announcement announcement);

        /** Whether figures alone may be written into a gang's record again: at most every few minutes. */
        boolean isDue(GangRecord record);
    }

    /** A promise that could not be kept. */
    void broken(RecordUpdate draft, BrokenPromise broken) {
        if (draft.after().promise() != null) {
            draft.breakPromise(broken.cause(), broken.why(), now);
        }
    }

    /** A gang that runs and is to be stopped. What it has done and cost until now is written with its new window. */
    void moved(RecordUpdate draft, Move move, List<Member> all) {
        List<Member> members = all.stream().filter(member -> !member.isComing()).toList();
        Promise promise = draft.after().promise();
        MigrationHistory past = MigrationHistory.of(
                draft.after(),
                promise == null ? move.from() : promise.window(),
                draft.after().history().ends(),
                new MigrationHistory.Rest(
                        move.work(),
                        move.gang().runtime() - move.work(),
                        Resources.most(move.gang().shapes().stream()
                                .map(shape -> shape.request().resources().amounts())
                                .toList()),
                        move.back()),
                members.stream().map(Member::uid).collect(Collectors.toCollection(TreeSet::new)),
                now);
        draft.move(move, past, members, now);
    }

    /** A gang that has a window. */
    void planned(RecordUpdate draft, Planned planned) {
        draft.beginAnew(now);
        GangRecord standing = draft.after();
        Promise promise = standing.promise();
        Window window = planned.window();
        if (promise != null && promise.window().equals(window)) {
            draft.become(standing.withPhase(standing.phase() == Phase.STARTING ? Phase.STARTING : Phase.PROMISED)
                    .planned(true, "Promised", words(window, promise.by()), now));
            return;
        }
        if (standing.phase() == Phase.STARTING) {
            draft.become(standing);
            return;
        }
        GangId host = takeovers.holdOf(planned.gang().id());
        PromiseTariff tariff = takeovers.tariffOf(planned.gang().id());
        Promise next = planned.promise(false).withOrders(orders(promise, planned));
        draft.become(standing.promised(next, tariff == null ? prices.of(planned) : tariff)
                .withTenure(tenure(standing, host))
                .withPhase(Phase.PROMISED)
                .withHistory(standing.history().promised(FirstPromise.of(next)))
                .planned(true, "Promised", words(window, planned.by()), now));
        if (promise == null) {
            draft.markPromised();
            if (!isOneMoreTry(standing)) {
                draft.tell(Reason.WINDOW_PROMISED, words(window, planned.by()));
            }
        } else if (window.improves(promise.window(), planned.gang())) {
            draft.tell(Reason.WINDOW_IMPROVED, words(window, planned.by()) + "; before: " + words(promise.window()));
        } else if (planned.by() != null && !isAtTheSameTime(window, promise.window())) {
            draft.tell(
                    Reason.WINDOW_MOVED,
                    words(window, planned.by()) + "; before: " + words(promise.window())
                            + (planned.gang().after().isNone()
                                    ? "; within the promise: all gangs together gain by it"
                                    : "; within the promise: what it starts after ends later"));
        } else {
            draft.tell(Reason.WINDOW_MOVED, words(window) + "; same times, other nodes: another gang can start sooner");
        }
    }

    /** The nodes that are bought for a window: in this plan, and for the window before if it is on nodes of it. */
    private static List<PurchaseOrder> orders(@Nullable Promise before, Planned planned) {
        if (before == null
                || before.window().placements().stream()
                        .noneMatch(seat -> planned.window().isOn(seat.node()))) {
            return planned.orders();
        }
        return Stream.concat(before.orders().stream(), planned.orders().stream())
                .distinct()
                .toList();
    }

    /**
     * Whether everyone knows that a gang is refused and tried again; that it starts is told, and the record has its
     * window.
     */
    private static boolean isOneMoreTry(GangRecord standing) {
        return standing.history().attempts() > 1 && standing.history().lastRefusal() != null;
    }

    private static WindowOwnership tenure(GangRecord standing, @Nullable GangId host) {
        if (standing.tenure().isHeld()) {
            return standing.tenure();
        }
        return host == null ? WindowOwnership.own() : new WindowOwnership.Part(host.name());
    }

    /**
     * A gang that has none, or that waits for its pods to be made again before its window. Why is told when the kind of
     * reason or its subject is new, and once more by a replica that takes over: another one may have died between a
     * verdict and telling it. Where only other figures are new, which change with every node and gang, the record has
     * them a little later.
     */
    void pending(RecordUpdate draft, Pending pending) {
        draft.beginAnew(now);
        Refusal refusal = pending.refusal();
        if (draft.after().promise() != null && refusal instanceof Refusal.Failed) {
            // An error of Slotwise's own costs no gang what it was promised.
            return;
        }
        if (draft.after().promise() != null
                && refusal instanceof Refusal.WaitingForMembers
                && draft.after().history().awaitsPods(now)) {
            return;
        }
        if (draft.after().promise() != null) {
            draft.breakPromise(BrokenPromise.Cause.EDITED, refusal, now);
        }
        Refusal told = draft.before().planned().refusal();
        Refusal known = refusal.asSeen(pending.gang().namespace()::equals);
        Reason event = Reason.of(refusal.ofKind());
        Announcement why = event == null ? null : new Announcement(event, refusal.in(currency));
        if (why != null && news.isNew(draft.after(), why)) {
            draft.tell(why);
        }
        Refusal kept =
                told != null && (draft.before().tells(refusal) || (told.isLike(known) && !news.isDue(draft.after())))
                        ? told
                        : known;
        draft.become(draft.after().withPhase(Phase.PENDING).refused(kept, now));
    }

    private static boolean isAtTheSameTime(Window one, Window other) {
        return one.start() == other.start()
                && one.end() == other.end()
                && one.cost().equals(other.cost());
    }

    /** A window, and the latest start where that is another one, in one line. */
    private String words(Window window, @Nullable PromiseBound by) {
        return by == null
                ? words(window)
                : "%s; promised by %s".formatted(words(window), Instant.ofEpochSecond(by.start()));
    }

    private String words(Window window) {
        return WindowText.of(window, currency);
    }
}
