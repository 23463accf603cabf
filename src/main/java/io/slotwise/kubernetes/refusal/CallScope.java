package io.slotwise.kubernetes.refusal;

import io.slotwise.core.gang.GangId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls of one kind in one namespace, or in all. */
final class CallScope {
    /** A call that has no answer by then keeps no other one waiting. */
    static final Duration PATIENCE = Duration.ofSeconds(2);
    /** A refusal that was not seen again for so long concerns nobody any more. */
    static final Duration FORGOTTEN = CallPause.LONGEST.multipliedBy(3);

    /** Which calls; a namespace stands for itself, or for all. */
    record Key(String what, String namespace) {}

    private final Set<String> parts = new HashSet<>();
    Instant used = Instant.MIN;
    boolean granted;
    Instant grantedAt = Instant.MIN;
    /** When the call began that goes ahead of the others; null: none does. */
    @Nullable
    Instant urgentSince;

    /** The last one since the last grant; null: there was none. */
    @Nullable
    ApiRefusal refusal;

    private Instant refusedAt = Instant.MIN;
    /** Not null: all calls of it wait. */
    @Nullable
    CallPause pause;

    /** The gang that is started to find out whether the calls of all are granted; null: none. */
    private @Nullable GangId tryingId;

    private Instant triedAt = Instant.MIN;
    /** The gangs that have found out nothing since the last grant: others go before them. */
    private final Set<GangId> tried = new HashSet<>();

    /** Whether a call goes ahead of the others, whose answer is awaited. */
    boolean mustWait(Instant now) {
        return !granted
                && urgentSince != null
                && now.isBefore(urgentSince.plus(PATIENCE))
                && !now.isBefore(urgentSince);
    }

    /**
     * Takes in a refusal.
     *
     * @param part of the scope that it is about
     * @param enough so many parts that are refused alike have the others wait
     * @param length how long, at first
     */
    void refuse(ApiRefusal other, String part, int enough, Duration length, Instant now) {
        ApiRefusal before = refusal;
        if (before == null || !before.isLike(other) || refusedAt.plus(FORGOTTEN).isBefore(now)) {
            parts.clear();
            tried.clear();
            pause = null;
        }
        parts.add(part);
        granted = false;
        refusal = other;
        refusedAt = now;
        endTry();
        if (pause != null) {
            pause.again(other.inGeneral(), now);
        } else if (parts.size() >= enough) {
            pause = new CallPause(other.inGeneral(), length, Duration.ZERO, now);
        }
    }

    /**
     * Whether the calls of a part wait: during the pause, and just after it those that were refused leave it to others
     * to find out.
     */
    boolean holds(String part, Instant now) {
        return pause != null && (pause.lasts(now) || (parts.contains(part) && pause.isJustOver(now)));
    }

    /**
     * Whether a gang is the one that finds out for all. It is where no other one is, but just after a pause
     * those that have tried in vain leave it to the others.
     */
    boolean isTriedBy(GangId gang, Instant now) {
        if (triedAt.plus(CallPause.FIRST).isBefore(now) || now.isBefore(triedAt)) {
            endTry();
        }
        boolean isForOthers = pause != null && pause.isJustOver(now) && tried.contains(gang);
        if (tryingId == null && !isForOthers) {
            tryingId = gang;
            triedAt = now;
        }
        return gang.equals(tryingId);
    }

    private void endTry() {
        if (tryingId != null) {
            tried.add(tryingId);
        }
        tryingId = null;
    }

    /** Takes in that a call was granted, and returns whether one was refused before. */
    boolean grant(Instant now) {
        boolean isNew = refusal != null;
        granted = true;
        grantedAt = now;
        refusal = null;
        pause = null;
        parts.clear();
        tried.clear();
        return isNew;
    }

    /** Whether a call was refused a short while ago, and none was granted since. */
    boolean isRefused(Instant now) {
        return refusal != null && now.isBefore(refusedAt.plus(FORGOTTEN));
    }
}
