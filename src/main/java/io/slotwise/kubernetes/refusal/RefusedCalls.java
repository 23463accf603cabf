package io.slotwise.kubernetes.refusal;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * second refusal on: another pod may have the name by then. A Lease is asked for every {@link #LEASE} as long as the
 * lead can be kept. Where two objects of a namespace are refused for the same right, policy or quota, or {@link #ALIKE}
 * for another reason, all calls of that kind in the namespace are, and where as many namespaces are alike, but for a
 * quota, all calls of that kind where the last one was not granted; then one call goes through each time, and once it
 * is granted all go at once. Until a kind of call has been granted in a namespace, one call goes ahead of the others
 * there. A refusal that stays costs five calls in half a minute at most.
 *
 * <p>Each reason is told once, and again when it has been granted in between. Remembered are {@link #MOST} objects, and
 * the namespaces of the last hour.
 */
public final class RefusedCalls {
    static final Duration FIRST = Duration.ofSeconds(10);
    static final Duration LONGEST = Duration.ofSeconds(30);
    /** Two renewals of a Lease, which are 2 s apart, fit into the 10 s after which the lead is lost. */
    static final Duration LEASE = Duration.ofSeconds(3);
    /** The lead is lost, or about to be, after so long; then a Lease is like any other object. */
    private static final Duration LEAD = Duration.ofSeconds(8);
    /** So many objects that are refused alike for a reason of their own, with none granted since, are no chance. */
    private static final int ALIKE = 3;
    /** A call that has no answer by then keeps no other one waiting. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** A refusal that was not seen again for so long concerns nobody any more. */
    private static final Duration FORGOTTEN = LONGEST.multipliedBy(3);

    private static final Duration IDLE = Duration.ofHours(1);
    private static final int MOST = 10_000;
    private static final String ALL = "*";

    private final InstantSource clock;
    private final RefusalObserver observer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final Map<Scope.Key, Scope> scopes = new HashMap<>();
    private final Map<ApiCall, Pause> objects = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ApiCall, Pause> eldest) {
            return size() > MOST;
        }
    };
    private Instant cleaned = Instant.MIN;
    private volatile Consumer<ApiRefusal> whenNew = _ -> {};
    private volatile Consumer<ApiCall> whenGranted = _ -> {};

    /**
     * Nothing is refused.
     *
     * @param observer counts
     */
    public RefusedCalls(InstantSource clock, RefusalObserver observer) {
        this.clock = clock;
        this.observer = observer;
        observer.refusing(() -> now().size());
    }

    /**
     * Sets who is told.
     *
     * @param refused of the first refusal of a kind of call for a reason
     * @param granted of a kind of call that is granted after that
     */
    public void tell(Consumer<ApiRefusal> refused, Consumer<ApiCall> granted) {
        whenNew = refused;
        whenGranted = granted;
    }

    /** How long something is not asked for again. */
    private static final class Pause {
        private final Instant began;
        private ApiRefusal refusal;
        private Instant seen;
        private Instant until;
        private Duration length;

        Pause(ApiRefusal refusal, Duration length, Instant now) {
            this.began = now;
            this.refusal = refusal;
            this.seen = now;
            this.length = length;
            this.until = now.plus(length);
        }

        /** The first refusal of an object. */
        static Pause of(ApiRefusal refusal, Instant now) {
            ApiCall call = refusal.call();
            return new Pause(refusal, call.isLease() ? LEASE : call.isBinding() ? Duration.ZERO : FIRST, now);
        }

        void again(ApiRefusal other, Instant now) {
            refusal = other;
            seen = now;
            if (!other.call().isLease() || now.isAfter(began.plus(LEAD))) {
                length = length.plus(FIRST).compareTo(LONGEST) < 0 ? length.plus(FIRST) : LONGEST;
            }
            until = now.plus(length);
        }

        boolean lasts(Instant now) {
            // A clock that was set back does not make it longer.
            return now.isBefore(until) && !now.isBefore(seen);
        }

        /** One call goes through, and none beside it. */
        void probe(Instant now) {
            until = now.plus(length);
        }
    }

    /** The calls of one kind in one namespace, or in all. */
    private static final class Scope {
        private record Key(String what, String namespace) {}

        private final Set<String> parts = new HashSet<>();
        private Instant used = Instant.MIN;
        private boolean granted;
        private Instant grantedAt = Instant.MIN;
        private @Nullable Instant ahead;
        private @Nullable ApiRefusal refusal;
        private Instant refusedAt = Instant.MIN;
        /** Not null: all calls of it wait. */
        private @Nullable Pause pause;
        /** The gang that is started to find out whether the calls of all are granted; null: none. */
        private @Nullable GangId trying;

        private Instant triedAt = Instant.MIN;
        /** The gangs that have found out nothing since the last grant: others go before them. */
        private final Set<GangId> tried = new HashSet<>();

        boolean mustWait(Instant now) {
            return !granted && ahead != null && now.isBefore(ahead.plus(PATIENCE)) && !now.isBefore(ahead);
        }

        /**
         * Takes in a refusal.
         *
         * @param part of the scope that it is about
         * @param enough so many parts that are refused alike have the others wait
         */
        void refuse(ApiRefusal other, String part, int enough, Instant now) {
            ApiRefusal before = refusal;
            if (before == null
                    || !before.isLike(other)
                    || refusedAt.plus(FORGOTTEN).isBefore(now)) {
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
                pause = new Pause(other.inGeneral(), FIRST, now);
            }
        }

        /**
         * Whether a gang is the one that finds out for all. It is where no other one is, but for {@link #FIRST} after a
         * pause those that have tried in vain leave it to the others.
         */
        boolean isTriedBy(GangId gang, Instant now) {
            if (triedAt.plus(FIRST).isBefore(now) || now.isBefore(triedAt)) {
                endTry();
            }
            boolean isForOthers = pause != null && now.isBefore(pause.until.plus(FIRST)) && tried.contains(gang);
            if (trying == null && !isForOthers) {
                trying = gang;
                triedAt = now;
            }
            return gang.equals(trying);
        }

        private void endTry() {
            if (trying != null) {
                tried.add(trying);
            }
            trying = null;
        }

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

        boolean isRefused(Instant now) {
            return refusal != null && now.isBefore(refusedAt.plus(FORGOTTEN));
        }
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
            Scope all = scope(call, ALL);
            Scope own = scope(call, call.namespace());
            long waited = 0;
            while (!call.isRead()
                    && waited < PATIENCE.toNanos()
                    && (all.mustWait(clock.instant()) || own.mustWait(clock.instant()))) {
                long began = System.nanoTime();
                var _ = answered.await(PATIENCE.toNanos() - waited, TimeUnit.NANOSECONDS);
                waited += Math.max(1, System.nanoTime() - began);
            }
            Instant now = clock.instant();
            ApiRefusal refusal = refusal(call, name, now);
            if (refusal == null) {
                for (Scope scope : new Scope[] {all, own}) {
                    scope.ahead = now;
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
     * @return null: it may be started
     */
    public @Nullable ApiRefusal startRefusal(GangId gang, Collection<String> pods, boolean tries) {
        ApiCall record =
                new ApiCall("update", "reservations.slotwise.io/status", gang.namespace(), ReservationName.of(gang));
        ApiCall binding = new ApiCall("create", "pods/binding", gang.namespace(), "");
        lock.lock();
        try {
            Instant now = clock.instant();
            ApiRefusal refusal = refusal(record, record::name, now);
            if (refusal == null) {
                refusal = refusal(binding, binding::name, now);
            }
            for (String pod : objects.isEmpty() ? List.<String>of() : pods) {
                Pause pause = objects.get(binding.of(pod));
                refusal = refusal == null && pause != null && pause.lasts(now) ? pause.refusal : refusal;
            }
            if (refusal != null) {
                return refusal;
            }
            for (ApiCall call : List.of(record, binding)) {
                Scope own = scope(call, gang.namespace());
                Scope shut = own.pause != null || own.granted ? own : scope(call, ALL);
                boolean refused = shut.pause != null && shut.isRefused(now);
                if (refused && !(tries && shut.isTriedBy(gang, now))) {
                    return shut.refusal;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable ApiRefusal refusal(ApiCall call, Supplier<String> name, Instant now) {
        if (!objects.isEmpty()) {
            Pause pause = objects.get(object(call, name));
            if (pause != null && pause.lasts(now)) {
                return pause.refusal;
            }
        }
        Pause own = scope(call, call.namespace()).pause;
        if (own != null && own.lasts(now)) {
            return own.refusal;
        }
        Pause all = scope(call, ALL).pause;
        boolean works = scope(call, call.namespace()).granted;
        return all != null && all.lasts(now) && !works ? all.refusal : null;
    }

    private static ApiCall object(ApiCall call, Supplier<String> name) {
        return call.name().isEmpty() ? call.of(name.get()) : call;
    }

    private Scope scope(ApiCall call, String namespace) {
        Scope scope = scopes.computeIfAbsent(new Scope.Key(call.what(), namespace), _ -> new Scope());
        scope.used = clock.instant();
        return scope;
    }

    /** A call was granted. */
    void granted(ApiCall call, Supplier<String> name) {
        boolean isNew;
        lock.lock();
        try {
            Scope all = scope(call, ALL);
            Scope own = scope(call, call.namespace());
            Instant now = clock.instant();
            boolean wasShut = all.pause != null || own.pause != null;
            isNew = own.grant(now);
            all.grant(now);
            if (wasShut) {
                objects.keySet()
                        .removeIf(object -> object.what().equals(call.what())
                                && object.namespace().equals(call.namespace()));
            } else if (!objects.isEmpty()) {
                objects.remove(object(call, name));
            }
            if (cleaned.isBefore(now.minus(IDLE))) {
                forgetOld(now);
            }
            over(all, own);
        } finally {
            lock.unlock();
        }
        if (isNew) {
            whenGranted.accept(call);
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
            Scope all = scope(call, ALL);
            Scope own = scope(call, call.namespace());
            Pause pause = objects.get(call);
            isNew = !(isKnown(all, refusal, now)
                    || isKnown(own, refusal, now)
                    || (pause != null && pause.refusal.isLike(refusal)));
            int enough = refusal.cause() == ApiRefusal.Cause.OTHER ? ALIKE : 2;
            own.refuse(refusal, call.name(), enough, now);
            boolean isOfItsNamespace = refusal.cause() == ApiRefusal.Cause.QUOTA;
            // A kind that is not served anywhere.
            int namespaces = refusal.code() == HttpURLConnection.HTTP_NOT_FOUND ? 2 : enough;
            all.refuse(refusal, call.namespace(), isOfItsNamespace ? Integer.MAX_VALUE : namespaces, now);
            if (pause == null) {
                objects.put(call, Pause.of(refusal, now));
            } else {
                pause.again(refusal, now);
            }
            over(all, own);
            forgetOld(now);
        } finally {
            lock.unlock();
        }
        if (isNew) {
            whenNew.accept(refusal);
        }
    }

    private static boolean isKnown(Scope scope, ApiRefusal refusal, Instant now) {
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

    private void over(Scope all, Scope own) {
        all.ahead = null;
        own.ahead = null;
        answered.signalAll();
    }

    private void forgetOld(Instant now) {
        cleaned = now;
        objects.values().removeIf(pause -> pause.seen.plus(FORGOTTEN).isBefore(now));
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
                            && !scope.grantedAt.isAfter(now.minus(FORGOTTEN))
                            && scope.refusal != null
                            && scope.refusal.call().isNeededByAll()
                            && (scope.refusal.cause() == ApiRefusal.Cause.RIGHT
                                    || scope.refusal.cause() == ApiRefusal.Cause.POLICY));
        } finally {
            lock.unlock();
        }
    }
}
