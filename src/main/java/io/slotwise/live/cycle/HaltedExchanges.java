package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Window;
import io.slotwise.live.cycle.WriteOrder.Step;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The windows that gangs gave up in an exchange which then could not be written to its end, mostly because another gang
 * of it started at that moment. Each gets its own back in the next cycle, unless one of those for which it gave it up
 * has been promised what it had. Kept in memory: a replica that goes on from one that died knows of none.
 */
final class HaltedExchanges {
    private volatile Map<GangId, Halted> byGang = Map.of();

    /**
     * A gang in the middle of an exchange.
     *
     * @param before its record with the window that it gave up
     * @param version of the record without a window
     * @param takers the windows that were to have some of its room or money, by gang
     * @param unanswered whether the API server had no answer for a write of that cycle
     */
    private record Halted(GangRecord before, String version, Map<GangId, Window> takers, boolean unanswered) {}

    /**
     * What a gang gave up.
     *
     * @param promise its window, and what goes with it
     * @param tariff the prices of that
     * @param taken whether another gang has been promised some of it
     * @param unanswered whether the exchange ended at an API server that had no answer for a write
     */
    record GivenUp(Promise promise, PromiseTariff tariff, boolean taken, boolean unanswered) {}

    /**
     * Notes how the exchanges of a cycle ended, in place of those of the cycle before. O(steps, and for each exchange
     * that was halted once more).
     *
     * @param written what became of each step; empty: it was not written
     * @param unanswered whether the API server had no answer for one of them
     * @return whether there is one that was halted
     */
    boolean note(List<Step> steps, List<Optional<GangRecord>> written, boolean unanswered) {
        Map<GangId, Halted> halted = new HashMap<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            GangRecord before = step.draft().before();
            GangRecord left = written.get(i).orElse(null);
            if (step.withdrawn()
                    && left != null
                    && before.phase() == Phase.PROMISED
                    && !isWritten(step.draft(), steps, written)) {
                halted.put(before.gang(), new Halted(before, left.version(), takers(i, steps), unanswered));
            }
        }
        byGang = Map.copyOf(halted);
        return !halted.isEmpty();
    }

    private static boolean isWritten(RecordUpdate draft, List<Step> steps, List<Optional<GangRecord>> written) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).draft() == draft && !steps.get(i).withdrawn()) {
                return written.get(i).isPresent();
            }
        }
        return false;
    }

    private static Map<GangId, Window> takers(int withdrawn, List<Step> steps) {
        Map<GangId, Window> takers = new HashMap<>();
        RecordUpdate giver = steps.get(withdrawn).draft();
        for (Step step : steps) {
            Promise taken = step.draft().after().promise();
            if (taken != null && step.draft() != giver && step.after().contains(withdrawn)) {
                takers.put(step.draft().before().gang(), taken.window());
            }
        }
        return takers;
    }

    /**
     * What a gang gave up that stands as it was left in the middle of an exchange; empty: it did not, or that is not
     * known.
     *
     * @param known the record of a gang as it is known now; null: there is none
     */
    Optional<GivenUp> of(GangRecord standing, Function<GangId, @Nullable GangRecord> known) {
        Halted halted = byGang.get(standing.gang());
        Promise promise = halted == null ? null : halted.before().promise();
        if (halted == null || promise == null || !halted.version().equals(standing.version())) {
            return Optional.empty();
        }
        boolean taken = halted.takers().entrySet().stream()
                .anyMatch(taker -> hasWindow(known.apply(taker.getKey()), taker.getValue()));
        return Optional.of(new GivenUp(promise, halted.before().tariff(), taken, halted.unanswered()));
    }

    private static boolean hasWindow(@Nullable GangRecord standing, Window window) {
        Promise promise = standing == null ? null : standing.promise();
        return promise != null && promise.window().equals(window);
    }
}
