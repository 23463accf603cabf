package io.slotwise.live.cycle;

import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.record.WindowOwnership;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a cycle makes of one gang: where it stood, where it is to stand, and what is to be told once that is written.
 * Belongs to one cycle.
 */
final class RecordUpdate {
    private final GangRecord before;
    private final boolean frozen;
    private final List<Announcement> announcements = new ArrayList<>();
    private final List<Cause> broken = new ArrayList<>();
    private GangRecord after;
    private boolean overtaken;
    private boolean gone;
    private boolean promised;
    private boolean started;
    private boolean heldToItsEnd;
    private boolean awaitsLedger;
    private List<Member> toEvict = List.of();
    private List<Member> toStop = List.of();
    private Set<String> toRecall = Set.of();
    private List<Member> overdue = List.of();
    private @Nullable Move move;

    RecordUpdate(GangRecord before) {
        this(before, false);
    }

    private RecordUpdate(GangRecord before, boolean frozen) {
        this.before = before;
        this.after = before;
        this.frozen = frozen;
    }

    /** Of a gang about which something is being written: it stays as it is to become. */
    static RecordUpdate frozen(GangRecord record) {
        return new RecordUpdate(record, true);
    }

    /** Of a gang over which there was an error: it stays as it is, and one that only waits may be told why. */
    static RecordUpdate untouched(GangRecord record) {
        boolean waits = record.promise() == null
                && record.phase() == Phase.PENDING
                && !record.ownership().isHeld();
        return new RecordUpdate(record, !waits);
    }

    /** Whether this cycle leaves the gang alone. */
    boolean isFrozen() {
        return frozen;
    }

    /**
     * Notes that the plan has taken away the window of a gang that this cycle leaves alone: its record keeps the room,
     * which nobody may have until a later cycle takes that away.
     */
    void overtake() {
        overtaken = true;
    }

    boolean isOvertaken() {
        return overtaken;
    }

    GangRecord before() {
        return before;
    }

    GangRecord after() {
        return after;
    }

    List<Announcement> announcements() {
        return announcements;
    }

    List<Cause> broken() {
        return broken;
    }

    boolean changed() {
        return !frozen && isNew();
    }

    private boolean isNew() {
        return gone || before.version().isEmpty() || !after.equals(before);
    }

    boolean gone() {
        return gone;
    }

    boolean promised() {
        return promised;
    }

    boolean started() {
        return started;
    }

    List<Member> toEvict() {
        return toEvict;
    }

    /** Whether there is something to do besides the record. */
    boolean hasErrands() {
        return !toRecall.isEmpty()
                || !toEvict.isEmpty()
                || !toStop.isEmpty()
                || !overdue.isEmpty()
                || !announcements.isEmpty()
                || started;
    }

    /** The pods that are on their way and must come back. */
    Set<String> toRecall() {
        return toRecall;
    }

    void become(GangRecord record) {
        after = record;
    }

    void tell(Reason reason, String words) {
        tell(reason, ReasonStatement.of(words));
    }

    void tell(Reason reason, ReasonStatement reasonStatement) {
        tell(new Announcement(reason, reasonStatement));
    }

    void tell(Announcement announcement) {
        announcements.add(announcement);
    }

    void markPromised() {
        promised = true;
    }

    void markStarted() {
        started = true;
    }

    /** The room of an advance reservation is over: it is charged, and given back. */
    void end(GangRecord finishedRecord) {
        heldToItsEnd = true;
        after = finishedRecord;
        tell(Reason.HOLD_ENDED, finishedRecord.startedAspect().message());
    }

    /** Whether this ends an advance reservation, so that others may have its room once that is written. */
    boolean heldToItsEnd() {
        return heldToItsEnd;
    }

    void remove() {
        gone = true;
    }

    /** Its record is not written before the ledger: it alone says what was bought for the gang. */
    void awaitLedger() {
        awaitsLedger = true;
    }

    boolean awaitsLedger() {
        return awaitsLedger;
    }

    /** How it was moved; null: it was not. */
    @Nullable
    Move moved() {
        return move;
    }

    void evict(List<Member> members) {
        toEvict = List.copyOf(members);
    }

    /** The members of a gang that runs and makes way: they go together, once disruption budgets allow that. */
    List<Member> toStop() {
        return toStop;
    }

    void letGo(List<Member> members) {
        toStop = List.copyOf(members);
    }

    /** The members that have run too long, and are evicted where disruption budgets allow that. */
    List<Member> overdue() {
        return overdue;
    }

    void endOverdue(List<Member> members) {
        overdue = List.copyOf(members);
    }

    void recall(Collection<String> pods) {
        toRecall = Set.copyOf(pods);
    }

    /** The promise falls for a reason that names nothing of another namespace. */
    void breakPromise(Cause cause, String words, long now) {
        breakPromise(cause, ReasonStatement.of(words), now);
    }

    /**
     * The promise falls because kube-scheduler or a kubelet refused to start the gang. Everyone is told why, once: the
     * record says it until the gang has started, and while it is refused for the same reason again, whatever the
     * numbers in it, there is nothing to tell.
     */
    void refuse(LastRefusal refusal, long now) {
        boolean isNews = !refusal.isLike(after.history().lastRefusal());
        breakPromise(Cause.REFUSED, ReasonStatement.of(refusal.message()), isNews, now);
        after = after.withHistory(after.history().withLastRefusal(refusal))
                .started(false, "NotStarted", LastRefusal.waiting(refusal), now);
    }

    /** The promise falls: the gang waits again, and everyone is told why. */
    void breakPromise(Cause cause, ReasonStatement reason, long now) {
        breakPromise(cause, reason, true, now);
    }

    private void breakPromise(Cause cause, ReasonStatement why, boolean isNews, long now) {
        broken.add(cause);
        ReasonStatement toldStatement = new BrokenPromise.Account(cause, why);
        if (isNews) {
            tell(Reason.WINDOW_BROKEN, toldStatement);
        }
        boolean released = after.phase() == Phase.STARTING || after.phase() == Phase.RUNNING;
        Promise promise = after.promise();
        if (released && promise != null) {
            recall(promise.window().pods());
        }
        after = after.with((Promise) null)
                .withOwnership(ofItsOwn(after.ownership()))
                .withPhase(Phase.PENDING)
                .withHistory(takenBack(after.history(), released, promise).withLastRefusal(null))
                .planned(false, "WindowBroken", known(toldStatement), now)
                .started(false, "NotStarted", LastRefusal.waiting(null), now);
        if (cause == Cause.EDITED) {
            after = after.withHistory(after.history().unpromised());
        }
    }

    /**
     * Tells why a start was rolled back of which the record says no more than that: whoever wrote it was not answered
     * to the end, and has told nobody.
     */
    void tellRollback() {
        if (!before.plannedAspect().holds() && before.plannedAspect().reason().equals(Reason.WINDOW_BROKEN.key())) {
            tell(Reason.WINDOW_BROKEN, before.plannedAspect().statement());
        }
    }

    /**
     * It gave its room up, as others take it or its start was rolled back, and what it was to have instead was not
     * written, or not that it is promised.
     */
    void lackNextWindow(long now) {
        breakPromise(Cause.OUTAGE, "its next window could not be written", now);
    }

    /**
     * Where the gang is over, its record is that of the next gang of this name from here on, which has no window yet:
     * nothing of the run before is compared with it, and nothing is broken.
     */
    void beginAnew(long now) {
        if (after.phase() == Phase.COMPLETED) {
            after = after.with((Promise) null)
                    .withOwnership(ofItsOwn(after.ownership()))
                    .withPhase(Phase.PENDING)
                    .withHistory(after.history().again())
                    .started(false, "NotStarted", LastRefusal.waiting(null), now);
        }
    }

    /** Whether this cycle sees the end of a run, which no record says yet. */
    boolean ends() {
        return before.phase() == Phase.RUNNING && after.phase() == Phase.COMPLETED;
    }

    /** The gang is stopped while it runs, to be placed again; {@code history} names the pods that have to go. */
    void move(Move how, MigrationHistory history, List<Member> members, long now) {
        Cause cause = how.purpose().isByPriority() ? Cause.DISPLACED : Cause.MIGRATION;
        ReasonStatement reason = new BrokenPromise.Account(cause, new Stopped(how.purpose()));
        move = how;
        letGo(members);
        stop(cause, reason, history, now);
        after = after.withTerms(
                RecordedTerms.of(how.gang()).withSource(after.terms().source()));
    }

    /** The gang has lost a member: the others, which {@code history} names, have to go, and it is planned again. */
    void restart(String words, MigrationHistory history, List<Member> members, long now) {
        evict(members);
        stop(Cause.MEMBER_LOSS, new BrokenPromise.Account(Cause.MEMBER_LOSS, ReasonStatement.of(words)), history, now);
    }

    private void stop(Cause cause, ReasonStatement reason, MigrationHistory history, long now) {
        broken.add(cause);
        tell(Reason.WINDOW_BROKEN, reason);
        after = after.with((Promise) null)
                .withOwnership(WindowOwnership.own())
                .withPhase(Phase.PENDING)
                .withHistory(after.history().moved(history))
                .planned(false, "WindowBroken", known(reason), now)
                .started(false, "NotStarted", LastRefusal.waiting(null), now);
    }

    /** That a gang is stopped while it runs, and what for. */
    private record Stopped(Move.Purpose purpose) implements ReasonStatement {
        @Override
        public String message() {
            return "moved " + purpose.words();
        }

        @Override
        public Stopped asSeen(Predicate<String> namespaces) {
            return new Stopped(purpose.asSeen(namespaces));
        }
    }

    /** What the gang's record may say of it. */
    private String known(ReasonStatement reason) {
        return reason.asSeen(before.gang().namespace()::equals).message();
    }

    private static GangRecord.History takenBack(
            GangRecord.History history, boolean released, @Nullable Promise promise) {
        if (!released) {
            return history;
        }
        return promise == null ? history.takenBack() : history.takenBack(promise.window());
    }

    /** Without a window a gang has no part of a reservation; a reservation stays one. */
    private static WindowOwnership ofItsOwn(WindowOwnership ownership) {
        return ownership.isHeld() ? ownership : WindowOwnership.own();
    }
}
