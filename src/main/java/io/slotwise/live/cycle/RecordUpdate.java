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
 * The changes of a cycle to one gang: its record before and after, and what is announced once that is written. Belongs
 * to one cycle.
 */
final class RecordUpdate {
    private final GangRecord before;
    private final boolean frozen;
    private final List<Announcement> announcements = new ArrayList<>();
    private final List<Cause> broken = new ArrayList<>();
    private GangRecord after;
    /** The record with the end of a run whose pods are not gone yet. Null for all other gangs. */
    private @Nullable GangRecord endedRecord;

    private boolean overtaken;
    private boolean kept;
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

    /** Creates an update of a gang with a write in flight: the gang stays as it will be. */
    static RecordUpdate frozen(GangRecord record) {
        return new RecordUpdate(record, true);
    }

    /** Creates an update of a gang with an error: the gang stays as it is, but a waiting one may be told why. */
    static RecordUpdate untouched(GangRecord record) {
        boolean waits = record.promise() == null
                && record.phase() == Phase.PENDING
                && !record.ownership().isHeld();
        return new RecordUpdate(record, !waits);
    }

    boolean isFrozen() {
        return frozen;
    }

    /**
     * Notes that the plan took away the window of a gang that this cycle leaves alone. Its record keeps the room until
     * a later cycle takes it.
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

    boolean hasErrands() {
        return !toRecall.isEmpty()
                || !toEvict.isEmpty()
                || !toStop.isEmpty()
                || !overdue.isEmpty()
                || !announcements.isEmpty()
                || started;
    }

    /** Returns the pods whose nomination must be cleared. */
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

    /** Ends an advance reservation: it is charged, and its room is free. */
    void end(GangRecord finishedRecord) {
        heldToItsEnd = true;
        after = finishedRecord;
        tell(Reason.HOLD_ENDED, finishedRecord.startedAspect().message());
    }

    boolean heldToItsEnd() {
        return heldToItsEnd;
    }

    /** Removes the record. One that is kept remains, without a window. */
    void remove() {
        gone = !kept;
        if (kept && !after.phase().started()) {
            after = after.with((Promise) null).withPhase(Phase.PENDING);
        }
    }

    /** Keeps the record, because a pod that is over carries a start that would count without it. */
    void keep() {
        kept = true;
    }

    /** Delays the write until the ledger is durable, because only this record says what was bought for the gang. */
    void awaitLedger() {
        awaitsLedger = true;
    }

    boolean awaitsLedger() {
        return awaitsLedger;
    }

    /** Returns how the gang was moved. Null if it was not. */
    @Nullable
    Move moved() {
        return move;
    }

    void evict(List<Member> members) {
        toEvict = List.copyOf(members);
    }

    /** Returns the members of a running gang that makes way. They go together, once disruption budgets allow that. */
    List<Member> toStop() {
        return toStop;
    }

    void letGo(List<Member> members) {
        toStop = List.copyOf(members);
    }

    List<Member> overdue() {
        return overdue;
    }

    void endOverdue(List<Member> members) {
        overdue = List.copyOf(members);
    }

    void recall(Collection<String> pods) {
        toRecall = Set.copyOf(pods);
    }

    /** Breaks the promise for a reason that names nothing of another namespace. */
    void breakPromise(Cause cause, String words, long now) {
        breakPromise(cause, ReasonStatement.of(words), now);
    }

    /**
     * Breaks the promise because kube-scheduler or a kubelet refused to start the gang. The record has the refusal
     * until the gang starts. A repeated refusal for the same reason, whatever its numbers, is not announced again.
     */
    void refuse(LastRefusal refusal, long now) {
        boolean isNews = !refusal.isLike(after.history().lastRefusal());
        breakPromise(Cause.REFUSED, ReasonStatement.of(refusal.message()), isNews, now);
        after = after.withHistory(after.history().withLastRefusal(refusal))
                .started(false, "NotStarted", LastRefusal.waiting(refusal), now);
    }

    /** Breaks the promise: the gang waits again, and the reason is announced. */
    void breakPromise(Cause cause, ReasonStatement reason, long now) {
        breakPromise(cause, reason, true, now);
    }

    private void breakPromise(Cause cause, ReasonStatement reason, boolean isNews, long now) {
        broken.add(cause);
        ReasonStatement toldStatement = new BrokenPromise.Account(cause, reason);
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

    /** Announces a rollback that is only in the record, because its writer got no answer and announced nothing. */
    void tellRollback() {
        if (!before.plannedAspect().holds() && before.plannedAspect().reason().equals(Reason.WINDOW_BROKEN.key())) {
            tell(Reason.WINDOW_BROKEN, before.plannedAspect().statement());
        }
    }

    /**
     * Breaks the promise of a gang that gave up its room, to others or by a rollback, and whose next window was not
     * completely written.
     */
    void lackNextWindow(long now) {
        breakPromise(Cause.OUTAGE, "its next window could not be written", now);
    }

    /**
     * Resets the record of a finished gang for the next gang of this name, which has no window yet. Nothing of the last
     * run is compared with it, and no promise is broken.
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

    /** Returns whether this cycle sees the end of a run that no record has yet. */
    boolean ends() {
        return before.phase() == Phase.RUNNING && planned().phase() == Phase.COMPLETED;
    }

    /** Keeps the run of a gang that ends open, because its terminating pods are charged until they are gone. */
    void awaitPods() {
        endedRecord = after;
        after = after.withPhase(Phase.RUNNING)
                .withHistory(after.history().withEndedAt(before.history().endedAt()));
    }

    /** Returns the record for the plan, in which a gang whose pods all terminate has ended. */
    GangRecord planned() {
        return endedRecord == null ? after : endedRecord;
    }

    /** Stops a running gang to place it again; {@code history} names the pods that have to go. */
    void move(Move newMove, MigrationHistory history, List<Member> members, long now) {
        Cause cause = Cause.of(newMove.purpose());
        ReasonStatement reason = new BrokenPromise.Account(cause, new Stopped(newMove.purpose()));
        move = newMove;
        letGo(members);
        stop(cause, reason, history, now);
        after = after.withTerms(RecordedTerms.of(newMove.gang())
                .withSource(after.terms().source())
                // Its run is charged to the queue in which it started.
                .withQueue(after.terms().queue()));
    }

    /** Restarts a gang that has lost a member: the other pods, which {@code history} names, have to go. */
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

    /** The reason for stopping a running gang. */
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

    /** Returns the reason without names of other namespaces. */
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

    /** A gang without a window has no part of an advance reservation. An advance reservation stays one. */
    private static WindowOwnership ofItsOwn(WindowOwnership ownership) {
        return ownership.isHeld() ? ownership : WindowOwnership.own();
    }
}
