package io.slotwise.kubernetes.refusal;

import io.slotwise.core.gang.GangId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls of one kind in one namespace, or in all. */
final class CallScope {
    /** The time after which an unanswered call no longer delays others. */
    static final Duration PATIENCE = Duration.ofSeconds(2);
    /** The time after which a refusal without repetition is dropped. */
    static final Duration FORGOTTEN = CallPause.LONGEST.multipliedBy(3);

    /** The calls of a scope; the namespace may stand for all. */
    record Key(String what, String namespace) {}

    private final Set<String> parts = new HashSet<>();
    Instant used = Instant.MIN;
    boolean granted;
    Instant grantedAt = Instant.MIN;
    /** The start of the call that probes for the others, or null. */
    @Nullable
    Instant urgentSince;

    /** The last refusal since the last grant, or null. */
    @Nullable
    ApiRefusal refusal;

    private Instant refusedAt = Instant.MIN;
    /** If not null, all calls of the scope wait. */
    @Nullable
    CallPause pause;

    /** The gang that is started to find out whether all calls are granted again, or null. */
    private @Nullable GangId tryingId;

    private Instant triedAt = Instant.MIN;
    /** The gangs that have tried without a result since the last grant. Others take precedence. */
    private final Set<GangId> tried = new HashSet<>();

    boolean mustWait(Instant now) {
        return !granted
                && urgentSince != null
                && now.isBefore(urgentSince.plus(PATIENCE))
                && !now.isBefore(urgentSince);
    }

    /**
     * Takes a refusal.
     *
     * @param part the part of the scope that it concerns
     * @param enough the number of equally refused parts that makes the others wait
     * @param length the first pause
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
     * Returns whether the calls of a part wait: during the pause, and shortly after it for refused parts, which leave
     * probing to others.
     */
    boolean holds(String part, Instant now) {
        return pause != null && (pause.lasts(now) || (parts.contains(part) && pause.isJustOver(now)));
    }

    /**
     * Returns whether a gang may probe for all, which it may if no other does. Shortly after a pause, gangs that have
     * tried without success leave it to others.
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

    /** Notes a granted call. Returns whether one was refused before. */
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

    /** Returns whether a call was refused recently and none was granted since. */
    boolean isRefused(Instant now) {
        return refusal != null && now.isBefore(refusedAt.plus(FORGOTTEN));
    }
}
