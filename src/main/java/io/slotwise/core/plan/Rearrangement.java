package io.slotwise.core.plan;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.combination.Purses;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Terms;
import io.slotwise.core.window.Sought;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowSearch;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

final class Rearrangement {
    private static final int MOST_ROUNDS = Integer.getInteger("x.rounds", 6);
    private static final String ORDER = System.getProperty("x.order", "smith");
    private static final boolean ALWAYS = Boolean.getBoolean("x.always");
    private static final boolean AFTER = Boolean.parseBoolean(System.getProperty("x.after", "true"));
    static long tries, accepted, failed, roundsUsed;

    private final Policy policy;
    private final long now;
    private final Timeline timeline;
    private final Purses purses;
    private final List<Contender> queue;

    Rearrangement(Policy policy, long now, Timeline timeline, Purses purses, List<Contender> queue) {
        this.policy = policy;
        this.now = now;
        this.timeline = timeline;
        this.purses = purses;
        this.queue = queue;
    }

    void rearrange() {
        boolean serves = policy.batch().objective() == Objective.USER || policy.batch().objective() == Objective.MAX_VALUE;
        if (!serves || policy.batch().limit().measure() != Measure.NOTHING || AnticipatedPart.isAsked(policy)) {
            return;
        }
        List<Contender> movable = queue.stream().filter(this::mayMove).toList();
        if (movable.size() < 2 || movable.stream().noneMatch(Contender::promised)) {
            return;
        }
        tries++;
        Map<Contender, Window> before = new IdentityHashMap<>();
        movable.forEach(contender -> before.put(contender, held(contender)));
        Map<Contender, Window> after = attempt(movable, before);
        if (after == null) {
            failed++;
        }
        if (after == null || !(ALWAYS || gains(movable, before, after))) {
            if (after != null) {
                movable.forEach(contender -> vacate(contender, after.get(contender)));
            }
            movable.forEach(contender -> take(contender, before.get(contender)));
            return;
        }
        accepted++;
        for (Contender contender : movable) {
            Window its = Objects.requireNonNull(after.get(contender));
            if (!its.equals(before.get(contender))) {
                contender.accept(its, contender.via);
            }
        }
    }

    private boolean mayMove(Contender contender) {
        Window window = contender.window;
        return window != null
                && !contender.released()
                && !contender.fresh
                && !contender.gang.hasRules()
                && !(contender.published != null && contender.published.start() <= now)
                && !OnlinePlacing.isOnline(contender, policy.online());
    }

    /** New windows for all; null, and no room taken, if there is none. */
    private @Nullable Map<Contender, Window> attempt(List<Contender> movable, Map<Contender, Window> before) {
        movable.forEach(contender -> vacate(contender, before.get(contender)));
        Set<Contender> fixed = new HashSet<>();
        List<Contender> order = order(movable, fixed);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            roundsUsed++;
            Map<Contender, Window> after = new IdentityHashMap<>();
            fixed.forEach(contender -> place(contender, before.get(contender), after));
            Set<Contender> late = new HashSet<>();
            boolean first = true;
            boolean easy = !ORDER.equals("smith");
            List<Contender> rest = new ArrayList<>();
            List<Contender> todo = order;
            if (easy) {
                List<Contender> arrival = ORDER.equals("easy") ? order : movable;
                Contender head = null;
                for (Contender contender : movable) {
                    if (!fixed.contains(contender)) {
                        head = contender;
                        Window window = find(contender, before.get(contender), Long.MAX_VALUE);
                        if (window == null) {
                            late.add(contender);
                        } else {
                            place(contender, window, after);
                        }
                        break;
                    }
                }
                for (Contender contender : order) {
                    if (!fixed.contains(contender) && contender != head) {
                        Window window = find(contender, before.get(contender), now);
                        if (window != null) {
                            place(contender, window, after);
                        } else {
                            rest.add(contender);
                        }
                    }
                }
                todo = movable.stream().filter(rest::contains).toList();
            }
            for (Contender contender : todo) {
                if (!fixed.contains(contender) && !late.contains(contender)) {
                    Window window = find(contender, before.get(contender), Long.MAX_VALUE);
                    if (window == null) {
                        late.add(contender);
                    } else {
                        place(contender, window, after);
                    }
                }
            }
            if (late.isEmpty()) {
                if (AFTER) {
                    improve(fixed, after);
                }
                return after;
            }
            after.forEach(this::vacate);
            fixed.addAll(late);
            if (fixed.size() == movable.size()) {
                return null;
            }
        }
        return null;
    }

    private void improve(Set<Contender> fixed, Map<Contender, Window> after) {
        fixed.stream().sorted(Comparator.comparingLong((Contender c) -> after.get(c).start()).thenComparing(c -> c.gang.id())).forEach(contender -> {
            Window own = after.get(contender);
            vacate(contender, own);
            Window better = find(contender, own, Long.MAX_VALUE);
            place(contender, better == null ? own : better, after);
        });
    }

    private List<Contender> order(List<Contender> movable, Set<Contender> fixed) {
        if (ORDER.equals("easy")) {
            return movable;
        }
        return movable.stream().sorted((a, b) -> {
            BigInteger left = worth(a).multiply(BigInteger.valueOf(b.estimatedProcessorTime()));
            BigInteger right = worth(b).multiply(BigInteger.valueOf(a.estimatedProcessorTime()));
            return right.compareTo(left);
        }).toList();
    }

    private BigInteger worth(Contender contender) {
        long micros = contender.gang.valueOfTime().micros();
        return BigInteger.valueOf(micros == 0 ? 1 : micros);
    }

    private void place(Contender contender, Window window, Map<Contender, Window> after) {
        take(contender, window);
        after.put(contender, window);
    }

    private @Nullable Window find(Contender contender, Window own, long latest) {
        Gang gang = contender.gang;
        Bound bound = contender.bound;
        Terms terms = contender.terms;
        Cost most = gang.budget().limit();
        if (bound != null) {
            terms = terms.within(bound.start(), bound.end());
            most = most.min(bound.cost());
        }
        terms = terms.within(latest, terms.deadline());
        if (terms.latest() < terms.earliest()) {
            return null;
        }
        Window found = contender.search().best(gang.criterion(), terms, most).filter(purses::pay).orElse(null);
        if (found == null) {
            return null;
        }
        boolean additive = gang.criterion() == Criterion.RUNTIME || gang.criterion() == Criterion.PROCESSOR_TIME || gang.criterion() == Criterion.ENERGY;
        if (additive && found.value(gang) > own.value(gang)) {
            return null;
        }
        boolean better = WindowSearch.order(gang).compare(found, own) < 0;
        return !better && own.start() <= latest && own.fits(timeline, gang) && purses.pay(own) ? own : found;
    }

    private boolean gains(List<Contender> movable, Map<Contender, Window> before, Map<Contender, Window> after) {
        Map<Criterion, BigInteger> sums = new EnumMap<>(Criterion.class);
        for (Contender contender : movable) {
            Criterion criterion = contender.gang.criterion();
            if (policy.batch().objective() == Objective.MAX_VALUE) {
                criterion = Criterion.VALUE;
            }
            BigInteger gain = BigInteger.valueOf(before.get(contender).value(criterion, contender.gang)).subtract(BigInteger.valueOf(after.get(contender).value(criterion, contender.gang)));
            sums.merge(criterion, gain, BigInteger::add);
        }
        return sums.values().stream().allMatch(sum -> sum.signum() >= 0) && sums.values().stream().anyMatch(sum -> sum.signum() > 0);
    }

    private void take(Contender contender, Window window) {
        window.occupy(timeline, contender.gang);
        purses.charge(window);
    }

    private void vacate(Contender contender, Window window) {
        window.vacate(timeline, contender.gang);
        purses.refund(window);
    }

    private static Window held(Contender contender) {
        return Objects.requireNonNull(contender.window);
    }
}
