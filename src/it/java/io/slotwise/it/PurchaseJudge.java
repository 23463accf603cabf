package io.slotwise.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges purchases by the objects that the API server stored, in the order of its revisions, without code or figures of
 * Slotwise:
 * <ul>
 * <li>no NodeClaim is made before a record names it and its bill is kept, and none is made again once it has had a
 * node;
 * <li>at no revision there are more NodeClaims than the policy and their pool allow, or a larger sum of bills, kept or
 * paid, than the policy allows;
 * <li>no namespace's started gangs cost more than its budget;
 * <li>every gang with a promised start has started by then, or was told why not.
 * </ul>
 *
 * <p>{@code node-lost} is told for exactly the nodes that the run itself took away. A purchase without a node is {@code
 * not-provisioned}. {@code room-taken} is no reason by itself, since bought nodes accept no foreign pods. It is a
 * reason if Slotwise was away in the second in which the gang before on one of the nodes was to start. That gang
 * started late, its window then reaches into the promise, and one of the two promises had to move.
 *
 * <p>Money is in 1/3600 millionths of the currency unit.
 */
final class PurchaseJudge {
    /** The longest delay between a promised start and its record. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    /** A replica that dies this soon after a promise was given up may not have told why. */
    private static final Duration TOLD = Duration.ofSeconds(10);

    /**
     * The causes for giving up a promise. All but {@code not-provisioned} need an event of the run: a node is taken
     * away, Slotwise is away, a pod overruns, or pods are deleted.
     */
    private static final List<String> CAUSES = List.of("not-provisioned", "node-lost", "outage", "overrun", "edited");

    private static final String ROOM_TAKEN = "room-taken";
    private static final String NODE_LOST = "node-lost";

    /** Something that was stored. */
    sealed interface Happening {
        long revision();
    }

    /** A new or changed NodeClaim. */
    record Claimed(long revision, String name, String uid, String pool, boolean hasNode) implements Happening {}

    /** A deleted NodeClaim. */
    record Gone(long revision, String uid) implements Happening {}

    /** The stored bills of purchases by name. */
    record Booked(long revision, Map<String, Long> bills) implements Happening {}

    /** The spending limit of the policy from now on. */
    record Allowed(long revision, long spending) implements Happening {}

    /**
     * A gang's record. A deleted record has no phase.
     *
     * @param seen when the record was seen
     * @param start the promised start, or null
     * @param end of its window, or null
     * @param nodes of its window
     * @param by the latest promised start, or null
     * @param started when the gang has started, or null
     * @param cost of its window
     * @param bills of the purchases that it names
     * @param planned its condition "Planned"
     */
    record Recorded(
            long revision,
            Instant seen,
            String namespace,
            String gang,
            String phase,
            @Nullable Instant start,
            @Nullable Instant end,
            Set<String> nodes,
            @Nullable Instant by,
            @Nullable Instant started,
            long cost,
            Map<String, Long> bills,
            String planned)
            implements Happening {
        String key() {
            return namespace + "/" + gang;
        }
    }

    /**
     * The limits of a run.
     *
     * @param nodes the most NodeClaims at a time
     * @param pools the most NodeClaims of each pool
     * @param budgets of namespaces
     */
    record Limits(int nodes, Map<String, Integer> pools, Map<String, Long> budgets) {}

    /**
     * The reported causes, and what excuses missing ones.
     *
     * @param told the notes of events {@code WindowBroken}, by gang
     * @param taken the nodes that the run took away
     */
    record Telling(Map<String, List<String>> told, List<Absence> absences, Set<String> taken) {}

    record Verdict(List<String> violations, Map<String, Integer> figures) {}

    private record PromisedWindow(Instant start, Instant by, Set<String> nodes) {}

    /**
     * A start.
     *
     * @param promised the promised second
     * @param until the end of its window from then on
     */
    private record Begun(Instant promised, Instant started, Instant until, Set<String> nodes) {
        boolean isInTheWayOf(PromisedWindow promise) {
            return started.isBefore(promise.start())
                    && until.isAfter(promise.start())
                    && !Collections.disjoint(nodes, promise.nodes());
        }
    }

    private final Limits limits;
    private final Telling telling;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Integer> figures = new TreeMap<>();
    private final Map<String, Claimed> claims = new HashMap<>();
    private final Set<String> there = new HashSet<>();
    private final Map<String, Long> ordered = new HashMap<>();
    private final Map<String, PromisedWindow> promised = new HashMap<>();
    private final Map<String, Begun> begun = new HashMap<>();
    private final Map<String, Long> costs = new HashMap<>();
    private Map<String, Long> booked = Map.of();
    private long paid;
    private long allowed;

    private PurchaseJudge(Limits limits, Telling telling) {
        this.limits = limits;
        this.telling = telling;
    }

    /** Judges happenings, which may come in any order. */
    static Verdict judge(Collection<Happening> happenings, Limits limits, Telling telling) {
        PurchaseJudge judge = new PurchaseJudge(limits, telling);
        happenings.stream()
                .sorted(Comparator.comparingLong(Happening::revision))
                .forEach(judge::take);
        new TreeMap<>(telling.told()).forEach(judge::lost);
        return new Verdict(List.copyOf(judge.violations), judge.figures);
    }

    private void take(Happening happening) {
        switch (happening) {
            case Claimed claim -> take(claim);
            case Gone gone -> there.remove(gone.uid());
            case Booked books -> {
                booked = books.bills();
                spending("kept", sum(booked), books.revision());
            }
            case Allowed policy -> allowed = policy.spending();
            case Recorded gang -> take(gang);
        }
    }

    private void take(Claimed claim) {
        Claimed before = claims.put(claim.uid(), claim);
        if (before == null) {
            made(claim);
        }
        if (claim.hasNode() && (before == null || !before.hasNode())) {
            count("purchases that had a node");
            paid += ordered.getOrDefault(claim.name(), 0L);
            spending("paid", paid, claim.revision());
        }
    }

    private void made(Claimed claim) {
        count("purchases");
        there.add(claim.uid());
        largest("most claims at a time", there.size());
        if (there.size() > limits.nodes()) {
            violate(
                    "%d claims are there at revision %d, and %d are allowed",
                    there.size(), claim.revision(), limits.nodes());
        }
        long ofPool = there.stream()
                .filter(uid -> Objects.requireNonNull(claims.get(uid)).pool().equals(claim.pool()))
                .count();
        int most = limits.pools().getOrDefault(claim.pool(), Integer.MAX_VALUE);
        if (ofPool == most) {
            count("purchases up to their pool's limit");
        }
        if (ofPool > most) {
            violate(
                    "%d claims of pool %s are there at revision %d, and %d are allowed",
                    ofPool, claim.pool(), claim.revision(), most);
        }
        Long bill = ordered.get(claim.name());
        if (bill == null) {
            violate("claim %s was made before a record named it", claim.name());
        } else if (!bill.equals(booked.get(claim.name()))) {
            violate(
                    "claim %s was made while %s was kept for it, and its bill is %d",
                    claim.name(), booked.get(claim.name()), bill);
        }
        claims.values().stream()
                .filter(other ->
                        other.name().equals(claim.name()) && !other.uid().equals(claim.uid()))
                .forEach(other -> {
                    count("purchases made again");
                    if (other.hasNode()) {
                        violate("claim %s was made again after it had had a node", claim.name());
                    }
                });
    }

    private void spending(String what, long sum, long revision) {
        if (sum > allowed) {
            violate("bills of %d are %s at revision %d, and %d are allowed", sum, what, revision, allowed);
        }
    }

    private void take(Recorded gang) {
        ordered.putAll(gang.bills());
        PromisedWindow before = promised.get(gang.key());
        if (gang.phase().isEmpty()) {
            promised.remove(gang.key());
        } else if (gang.started() != null) {
            if (before != null) {
                count("gangs that started as promised");
                if (gang.started().isAfter(before.by().plus(GRACE))) {
                    violate(
                            "gang %s was promised a start by %s and started at %s",
                            gang.key(), before.by(), gang.started());
                }
            }
            promised.remove(gang.key());
            begin(gang, gang.started());
            costs.put(gang.key(), gang.cost());
            withinBudget(gang.namespace());
        } else if (gang.start() != null && gang.phase().equals("Promised")) {
            PromisedWindow now =
                    new PromisedWindow(gang.start(), gang.by() == null ? gang.start() : gang.by(), gang.nodes());
            if (before == null) {
                count("promises");
            } else if (now.start().isAfter(before.by())) {
                count("promises");
                told(gang, before);
            }
            promised.put(gang.key(), now);
        } else if (before != null) {
            told(gang, before);
            promised.remove(gang.key());
        }
    }

    private void begin(Recorded gang, Instant started) {
        if (gang.start() != null && gang.end() != null) {
            Instant until = started.plus(Duration.between(gang.start(), gang.end()));
            begun.put(gang.key(), new Begun(gang.start(), started, until, gang.nodes()));
        }
    }

    private void withinBudget(String namespace) {
        Long most = limits.budgets().get(namespace);
        long spent = costs.entrySet().stream()
                .filter(cost -> cost.getKey().startsWith(namespace + "/"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (most != null && spent > most) {
            violate("the gangs of namespace %s cost %d, and its budget is %d", namespace, spent, most);
        }
    }

    /** Checks that the nodes that a gang was told to have lost were taken away. */
    private void lost(String gang, List<String> words) {
        words.stream()
                .filter(told ->
                        told.contains(NODE_LOST) && telling.taken().stream().noneMatch(told::contains))
                .distinct()
                .sorted()
                .forEach(told -> violate("gang %s was told that %s, and nobody took that node away", gang, told));
    }

    /** Checks the reported cause of a promise that is given up. */
    private void told(Recorded gang, PromisedWindow promise) {
        List<String> words = new ArrayList<>(telling.told().getOrDefault(gang.key(), List.of()));
        words.add(gang.planned());
        Optional<String> cause = CAUSES.stream()
                .filter(one -> words.stream().anyMatch(told -> told.contains(one)))
                .findFirst();
        if (cause.isPresent()) {
            count("promises given up: " + cause.get());
        } else if (words.stream().anyMatch(told -> told.contains(ROOM_TAKEN)) && isBehindAnAbsence(promise)) {
            count("promises given up: room-taken by a gang that started late");
        } else if (telling.absences().stream()
                .anyMatch(one -> Duration.between(gang.seen(), one.from()).abs().compareTo(TOLD) <= 0)) {
            count("promises given up by who died then");
        } else {
            violate("the promise of gang %s was given up, and only this was told: %s", gang.key(), words);
        }
    }

    /** Returns whether a gang blocks the promise that Slotwise could not start in its second because it was away. */
    private boolean isBehindAnAbsence(PromisedWindow promise) {
        return begun.values().stream()
                .filter(one -> one.started().isAfter(one.promised()) && one.isInTheWayOf(promise))
                .anyMatch(one -> telling.absences().stream().anyMatch(absence -> absence.has(one.promised())));
    }

    private static long sum(Map<String, Long> bills) {
        return bills.values().stream().mapToLong(Long::longValue).sum();
    }

    private void count(String what) {
        figures.merge(what, 1, Integer::sum);
    }

    private void largest(String what, long figure) {
        figures.merge(what, (int) Math.min(Integer.MAX_VALUE, figure), Math::max);
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void violate(String sentence, @Nullable Object... values) {
        violations.add(sentence.formatted(values));
    }
}
