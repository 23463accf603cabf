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
 * What the API server refuses, so that it is not asked again at once. A call about an object that was refused is
 * answered from memory for 10 s, then for 20 and 30 s after each further refusal. A binding is remembered from its
 * second refusal on: another pod may have the name by then. A Lease is asked for three times before the lead is lost.
 * Where two objects of a namespace are refused for the same right, policy or quota, or {@link #ALIKE} for another
 * reason, all calls of that kind in the namespace are; then one call goes through each time, and once it is granted all
 * go at once. Where two namespaces lack a right, or {@link #ALIKE} are refused alike for another reason, but for a
 * quota, and none was granted the call since, all calls of that kind wait where the last one was not granted; then
 * those go ahead that were not refused. Until a kind of call has been granted in a namespace, one call goes ahead of
 * the others there. A refusal that stays costs five calls in half a minute at most.
 *
 * <p>What the API server answers is told to the namespace that it was about. Others whose calls wait for the same
 * reason are told the kind of the reason alone.
 *
 * <p>Each reason is told once, and again when it has been granted in between. Remembered are {@link #MOST} objects, and
 * the namespaces of the last hour.
 */
public final class RefusedCalls {
    /** So many objects that are refused alike for a reason of their own, with none granted since, are no chance. */
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
    private volatile Consumer<ApiRefusal> apiRefusal = _ -> {};
    private volatile Consumer<ApiCall> apiCall = _ -> {};
    private volatile String account = "unknown";

    /**
     * Nothing is refused.
     *
     * @param observer counts
     * @param lead the lead is lost, or about to be, if a Lease is refused for so long; then a Lease is like any other
     *     object
     */
    public RefusedCalls(InstantSource clock, RefusalObserver observer, Duration lead) {
        this.clock = clock;
        this.observer = observer;
        this.lead = lead;
        observer.refusing(() -> now().size());
    }

    /**
     * Sets who is told.
     *
     * @param refusal of the first refusal of a kind of call for a reason
     * @param call of a kind of call that is granted after that
     */
    public void tell(Consumer<ApiRefusal> refusal, Consumer<ApiCall> call) {
        apiRefusal = refusal;
        apiCall = call;
    }

    /** Sets whose calls these are. */
    void actsAs(String name) {
        account = name;
    }

    /**
     * Asks to make a call; it may wait a moment for the answer to another one.
     *
     * @param name of the object that a call creates
     * @return why the call is not worth making; null: it is to be made
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
     * Why a gang cannot be started now: one of the calls that a start needs is refused. While those of all are, one
     * gang at a time finds out whether they still are.
     *
     * @param pods of the gang
     * @param tries whether it is to be started, and may be the one that finds out
     * @return the calls and the answer in words; null: it may be started
     */
    public @Nullable String startRefusal(GangId gang, Collection<String> pods, boolean tries) {
        ApiCall recordCall =
                new ApiCall("update", "reservations.slotwise.io/status", gang.namespace(), ReservationName.of(gang));
        ApiCall bindingCall = new ApiCall("create", "pods/binding", gang.namespace(), "");
        lock.lock();
        try {
            Instant now = clock.instant();
            ApiRefusal refusal = refusal(recordCall, recordCall::name, now);
            if (refusal == null) {
                refusal = refusal(bindingCall, bindingCall::name, now);
            }
            for (String pod : objects.isEmpty() ? List.<String>of() : pods) {
                CallPause pause = objects.get(bindingCall.of(pod));
                refusal = refusal == null && pause != null && pause.lasts(now) ? pause.refusal() : refusal;
            }
            if (refusal != null) {
                return refusal.words();
            }
            for (ApiCall call : List.of(recordCall, bindingCall)) {
                CallScope ownScope = scope(call, gang.namespace());
                CallScope shutScope = ownScope.pause != null || ownScope.granted ? ownScope : scope(call, ALL);
                CallPause pause = shutScope.pause;
                if (pause != null && shutScope.isRefused(now) && !(tries && shutScope.isTriedBy(gang, now))) {
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

    /** A call was granted. */
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
                        .removeIf(apiCall -> apiCall.what().equals(call.what())
                                && apiCall.namespace().equals(call.namespace()));
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
            apiCall.accept(call);
        }
    }

    /** A call was refused. */
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
                // What no user of a namespace brings about: a missing right, a kind that is not served anywhere.
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
            apiRefusal.accept(refusal);
        }
    }

    /** How long an object is left alone after its first refusal. */
    private Duration first(ApiCall call) {
        if (call.isBinding()) {
            return Duration.ZERO;
        }
        return call.isLease() ? lead.multipliedBy(3).dividedBy(8) : CallPause.FIRST;
    }

    private static boolean isKnown(CallScope scope, ApiRefusal refusal, Instant now) {
        return scope.isRefused(now) && scope.refusal != null && scope.refusal.isLike(refusal);
    }

    /** A call had another answer, or none, which says nothing about the next one. */
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

    /** How many kinds of calls and objects are remembered. */
    int size() {
        lock.lock();
        try {
            return scopes.size() + objects.size();
        } finally {
            lock.unlock();
        }
    }

    /** The kinds of calls that are refused now, with why; O(namespaces). */
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
     * Whether no gang at all can start: a call that each start needs is refused for a missing right or by a policy, and
     * was granted in no namespace since, nor for a while before: one namespace, or one pod, is not all. A quota is the
     * affair of its namespace.
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
