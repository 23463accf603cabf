package io.slotwise.kubernetes.refusal;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls that the API server refuses, which are not repeated at once.
 * <ul>
 * <li>A refused call about an object is answered from memory for 10 s, then for 20 s and 30 s after further refusals. A
 * binding is remembered from its second refusal on, because another pod may have the name by then. A Lease is tried
 * three times before the leadership is lost.
 * <li>If two objects of a namespace are refused for the same permission, policy or quota, or {@link #ALIKE} for another
 * reason, all calls of that kind in the namespace are refused. Then a single call goes through each time. Once it is
 * granted, all do.
 * <li>The same applies to all namespaces, if two lack a permission, or if {@link #ALIKE} are refused alike for another
 * reason except a quota, with no grant since. Calls wait where the last one was not granted. After the pause, calls of
 * namespaces that were not refused go first.
 * <li>Until a kind of call has been granted in a namespace, one call there goes ahead of the others. A lasting refusal
 * costs at most five calls in half a minute.
 * </ul>
 *
 * <p>The API server's answer is shown only to the namespace that it concerns. Others whose calls wait for the same
 * reason learn only the kind of the reason.
 *
 * <p>Each reason is reported once, and again after a grant. {@link #MOST} objects and the namespaces of the last hour
 * are remembered.
 */
public final class RefusedCalls {
    /** The number of objects with equal refusals, and no grant since, that is taken for no coincidence. */
    private static final int ALIKE = 3;

    private static final Duration IDLE = Duration.ofHours(1);
    private static final int MOST = 10_000;
    private static final String ALL = "*";

    private final InstantSource clock;
    private final RefusalObserver observer;
    private final Duration lead;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final Map<CallScope.Key, CallScope> scopes = new HashMap<>();
    private final Map<ApiCall, CallPause> objects = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ApiCall, CallPause> entry) {
            return size() > MOST;
        }
    };
    private Instant cleaned = Instant.MIN;
    private volatile Consumer<ApiRefusal> onRefusal = _ -> {};
    private volatile Consumer<ApiCall> onGrant = _ -> {};
    private volatile String account = "unknown";

    /**
     * @param lead the time after which refusals of a Lease lose the leadership; from then on a Lease is like any other
     *     object
     */
    public RefusedCalls(InstantSource clock, RefusalObserver observer, Duration lead) {
        this.clock = clock;
        this.observer = observer;
        this.lead = lead;
        observer.refusing(() -> now().size());
    }

    /**
     * Sets the listeners.
     *
     * @param refusalListener receives the first refusal of a kind of call for a reason
     * @param grantListener receives the first grant of a kind of call after a refusal
     */
    public void tell(Consumer<ApiRefusal> refusalListener, Consumer<ApiCall> grantListener) {
        onRefusal = refusalListener;
        onGrant = grantListener;
    }

    void actsAs(String name) {
        account = name;
    }

    /**
     * Requests permission for a call. May wait a moment for the answer to another call.
     *
     * @param name returns the name of the object that a call creates
     * @return why the call must not be made, or null
     */
    @Nullable
    ApiRefusal begin(ApiCall call, Supplier<String> name) {
        lock.lock();
        try {
            CallScope wholeScope = scope(call, ALL);
            CallScope ownScope = scope(call, call.namespace());
            long waited = 0;
            while (!call.isRead()
                    && !ownScope.granted
                    && waited < CallScope.PATIENCE.toNanos()
                    && (wholeScope.mustWait(clock.instant()) || ownScope.mustWait(clock.instant()))) {
                long began = System.nanoTime();
                var _ = answered.await(CallScope.PATIENCE.toNanos() - waited, TimeUnit.NANOSECONDS);
                waited += Math.max(1, System.nanoTime() - began);
            }
            Instant now = clock.instant();
            ApiRefusal refusal = refusal(call, name, now);
            if (refusal == null) {
                for (CallScope scope : new CallScope[] {wholeScope, ownScope}) {
                    scope.urgentSince = now;
                    if (scope.pause != null) {
                        scope.pause.probe(now);
                    }
                }
            }
            return refusal;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns why a gang cannot be started now: a call that a start needs is refused. While it is refused for all, one
     * gang at a time finds out whether it still is. A gang without a record waits while records cannot be created,
     * because its run would not be charged. Writes of records find out whether they can be.
     *
     * @param pods the pods of the gang
     * @param recorded whether the gang has a record
     * @param tries whether the gang is to be started, and may find out
     * @return the call and the answer in words, or null if it may start
     */
    public @Nullable String startRefusal(GangId gang, Collection<String> pods, boolean recorded, boolean tries) {
        String record = ReservationName.of(gang);
        ApiCall createCall = new ApiCall("create", "reservations.slotwise.io", gang.namespace(), record);
        ApiCall recordCall = new ApiCall("update", "reservations.slotwise.io/status", gang.namespace(), record);
        ApiCall bindingCall = new ApiCall("create", "pods/binding", gang.namespace(), "");
        List<ApiCall> calls =
                recorded ? List.of(recordCall, bindingCall) : List.of(createCall, recordCall, bindingCall);
        lock.lock();
        try {
            Instant now = clock.instant();
            ApiRefusal refusal = null;
            for (ApiCall call : calls) {
                refusal = refusal == null ? refusal(call, call::name, now) : refusal;
            }
            for (String pod : objects.isEmpty() ? List.<String>of() : pods) {
                CallPause pause = objects.get(bindingCall.of(pod));
                refusal = refusal == null && pause != null && pause.lasts(now) ? pause.refusal() : refusal;
            }
            if (refusal != null) {
                return refusal.words();
            }
            for (ApiCall call : calls) {
                CallScope ownScope = scope(call, gang.namespace());
                CallScope shutScope = ownScope.pause != null || ownScope.granted ? ownScope : scope(call, ALL);
                CallPause pause = shutScope.pause;
                boolean mayTry = tries && !call.equals(createCall);
                if (pause != null && shutScope.isRefused(now) && !(mayTry && shutScope.isTriedBy(gang, now))) {
                    ApiRefusal apiRefusal = pause.refusal();
                    return (shutScope.equals(ownScope) ? apiRefusal : apiRefusal.elsewhere(call, account)).words();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable ApiRefusal refusal(ApiCall call, Supplier<String> name, Instant now) {
        if (!objects.isEmpty()) {
            CallPause pause = objects.get(object(call, name));
            if (pause != null && pause.lasts(now)) {
                return pause.refusal();
            }
        }
        CallScope ownScope = scope(call, call.namespace());
        CallPause pause = ownScope.pause;
        if (pause != null && pause.lasts(now)) {
            return pause.refusal();
        }
        CallScope wholeScope = scope(call, ALL);
        CallPause sharedPause = wholeScope.pause;
        return sharedPause != null && !ownScope.granted && wholeScope.holds(call.namespace(), now)
                ? sharedPause.refusal().elsewhere(call, account)
                : null;
    }

    private static ApiCall object(ApiCall call, Supplier<String> name) {
        return call.name().isEmpty() ? call.of(name.get()) : call;
    }

    private CallScope scope(ApiCall call, String namespace) {
        CallScope scope = scopes.computeIfAbsent(new CallScope.Key(call.what(), namespace), _ -> new CallScope());
        scope.used = clock.instant();
        return scope;
    }

    void granted(ApiCall call, Supplier<String> name) {
        boolean isNew;
        lock.lock();
        try {
            CallScope wholeScope = scope(call, ALL);
            CallScope ownScope = scope(call, call.namespace());
            Instant now = clock.instant();
            boolean wasShut = wholeScope.pause != null || ownScope.pause != null;
            isNew = ownScope.grant(now);
            wholeScope.grant(now);
            if (wasShut) {
                objects.keySet()
                        .removeIf(granted -> granted.what().equals(call.what())
                                && granted.namespace().equals(call.namespace()));
            } else if (!objects.isEmpty()) {
                objects.remove(object(call, name));
            }
            if (cleaned.isBefore(now.minus(IDLE))) {
                forgetOld(now);
            }
            over(wholeScope, ownScope);
        } finally {
            lock.unlock();
        }
        if (isNew) {
            onGrant.accept(call);
        }
    }

    void refused(ApiRefusal refusal) {
        observer.refused(refusal.call().what());
        boolean isNew;
        lock.lock();
        try {
            Instant now = clock.instant();
            ApiCall call = refusal.call();
            CallScope wholeScope = scope(call, ALL);
            CallScope ownScope = scope(call, call.namespace());
            CallPause pause = objects.get(call);
            isNew = !(isKnown(wholeScope, refusal, now)
                    || isKnown(ownScope, refusal, now)
                    || (pause != null && pause.refusal().isLike(refusal)));
            ApiRefusal.Cause cause = refusal.cause();
            ownScope.refuse(refusal, call.name(), cause == ApiRefusal.Cause.OTHER ? ALIKE : 2, CallPause.FIRST, now);
            if (cause != ApiRefusal.Cause.QUOTA) {
                // No user of a namespace causes these: a missing permission, or a kind that is not served anywhere.
                boolean isOfTheAccount =
                        cause == ApiRefusal.Cause.RIGHT || refusal.code() == HttpURLConnection.HTTP_NOT_FOUND;
                wholeScope.refuse(refusal, call.namespace(), isOfTheAccount ? 2 : ALIKE, CallPause.LONGEST, now);
            }
            if (pause == null) {
                objects.put(call, new CallPause(refusal, first(call), call.isLease() ? lead : Duration.ZERO, now));
            } else {
                pause.again(refusal, now);
            }
            over(wholeScope, ownScope);
            forgetOld(now);
        } finally {
            lock.unlock();
        }
        if (isNew) {
            onRefusal.accept(refusal);
        }
    }

    private Duration first(ApiCall call) {
        if (call.isBinding()) {
            return Duration.ZERO;
        }
        return call.isLease() ? lead.multipliedBy(3).dividedBy(8) : CallPause.FIRST;
    }

    private static boolean isKnown(CallScope scope, ApiRefusal refusal, Instant now) {
        return scope.isRefused(now) && scope.refusal != null && scope.refusal.isLike(refusal);
    }

    /** Notes another answer, or none, which tells nothing about the next call. */
    void unanswered(ApiCall call) {
        lock.lock();
        try {
            over(scope(call, ALL), scope(call, call.namespace()));
        } finally {
            lock.unlock();
        }
    }

    private void over(CallScope wholeScope, CallScope ownScope) {
        wholeScope.urgentSince = null;
        ownScope.urgentSince = null;
        answered.signalAll();
    }

    private void forgetOld(Instant now) {
        cleaned = now;
        objects.values()
                .removeIf(pause -> pause.seen().plus(CallScope.FORGOTTEN).isBefore(now));
        scopes.values().removeIf(scope -> scope.used.plus(IDLE).isBefore(now));
    }

    int size() {
        lock.lock();
        try {
            return scopes.size() + objects.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the kinds of calls that are currently refused, with the refusal. O(namespaces). */
    public SortedMap<String, ApiRefusal> now() {
        lock.lock();
        try {
            Instant now = clock.instant();
            SortedMap<String, ApiRefusal> refused = new TreeMap<>();
            scopes.forEach((key, scope) -> {
                if (scope.isRefused(now) && scope.refusal != null) {
                    refused.put(key.what(), scope.refusal);
                }
            });
            return refused;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether no gang can start: a call that every start needs is refused for a missing permission or by a
     * policy, and was granted in no namespace since, nor for a while before. A single namespace or pod does not count,
     * and neither do quotas, which concern their namespace.
     */
    public boolean isStopped() {
        lock.lock();
        try {
            Instant now = clock.instant();
            return scopes.entrySet().stream()
                    .filter(entry -> entry.getKey().namespace().equals(ALL))
                    .map(Map.Entry::getValue)
                    .anyMatch(scope -> scope.isRefused(now)
                            && !scope.grantedAt.isAfter(now.minus(CallScope.FORGOTTEN))
                            && scope.refusal != null
                            && scope.refusal.call().isNeededByAll()
                            && (scope.refusal.cause() == ApiRefusal.Cause.RIGHT
                                    || scope.refusal.cause() == ApiRefusal.Cause.POLICY));
        } finally {
            lock.unlock();
        }
    }
}
