package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The gangs over which an internal error occurred in a cycle. Each of them stays as it is, and the others continue. The
 * log has each error with its stack once, and again after the gang was free of errors. Not thread-safe.
 */
final class PlanningErrors {
    private static final Logger LOG = Logger.getLogger(PlanningErrors.class);

    private final SortedMap<GangId, Refusal.Failed> now = new TreeMap<>();
    private Map<GangId, Set<String>> logged = new HashMap<>();
    private Map<GangId, Set<String>> before = new HashMap<>();

    void begin() {
        before = logged;
        logged = new HashMap<>();
        now.clear();
    }

    /** Adds an error that occurred while one gang was handled, with the step in one word such as {@code judged}. */
    void add(GangId gang, String done, Throwable error) {
        Refusal.Failed failed = Refusal.Failed.by(error);
        now.put(gang, failed);
        boolean isNew = logged.computeIfAbsent(gang, _ -> new HashSet<>()).add(done)
                && !before.getOrDefault(gang, Set.of()).contains(done);
        if (isNew) {
            LOG.errorf(
                    error,
                    "%s could not be %s and stays as it is; other gangs are not affected (%s)",
                    gang,
                    done,
                    failed.error());
        }
    }

    void add(Plan plan) {
        plan.pending().forEach(pending -> {
            if (pending.refusal() instanceof Refusal.Failed failed) {
                now.putIfAbsent(pending.gang(), failed);
            }
        });
    }

    /** Returns the error that occurred while a gang was handled in this cycle. Null if there is none. */
    Refusal.@Nullable Failed of(GangId gang) {
        return now.get(gang);
    }

    List<Notice> notices() {
        return now.entrySet().stream()
                .map(entry -> new Notice(
                        "Reservation",
                        entry.getKey().namespace(),
                        entry.getKey().name(),
                        EventRecorder.Reason.INTERNAL_ERROR.key(),
                        "gang %s: %s".formatted(entry.getKey(), entry.getValue().message()),
                        entry.getValue().error()))
                .toList();
    }

    static Notice unread(GangId gang, String problem) {
        return new Notice("Reservation", gang.namespace(), gang.name(), "InvalidValue", problem);
    }

    /** Runs work that is not about one gang and must not fail the cycle. */
    static void aside(String what, Runnable work) {
        Isolated.run(work, error -> LOG.errorf(error, "%s could not be reported; the plan is written", what));
    }
}
