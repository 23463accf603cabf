package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The gangs over which Slotwise met an error of its own in a cycle. Each of them stays as it is, and the others go on.
 * The log has an error with its stack once, and again when the gang has been sound in between. Used by one thread.
 */
final class PlanningErrors {
    private static final Logger LOG = Logger.getLogger(PlanningErrors.class);

    private final SortedMap<GangId, Refusal.Failed> now = new TreeMap<>();
    private final List<Notice> told = new ArrayList<>();
    private Map<GangId, Set<String>> logged = new HashMap<>();
    private Map<GangId, Set<String>> before = new HashMap<>();

    /** A cycle begins. */
    void begin() {
        before = logged;
        logged = new HashMap<>();
        now.clear();
        told.clear();
    }

    /** An admin is to be told this, which is no error of Slotwise's own. */
    void tell(Notice notice) {
        told.add(notice);
    }

    /** An error over one gang, while it was {@code done} to: one word such as {@code judged}. */
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

    /** What the plan says of such gangs. */
    void add(Plan plan) {
        plan.pending().forEach(pending -> {
            if (pending.refusal() instanceof Refusal.Failed failed) {
                now.putIfAbsent(pending.gang(), failed);
            }
        });
    }

    /** The error over a gang in this cycle; null: there was none. */
    Refusal.@Nullable Failed of(GangId gang) {
        return now.get(gang);
    }

    /** What an admin should be told of them. */
    List<Notice> notices() {
        return Stream.concat(
                        told.stream(),
                        now.entrySet().stream()
                                .map(entry -> new Notice(
                                        "Reservation",
                                        entry.getKey().namespace(),
                                        entry.getKey().name(),
                                        EventRecorder.Reason.INTERNAL_ERROR.key(),
                                        "gang %s: %s"
                                                .formatted(
                                                        entry.getKey(),
                                                        entry.getValue().message()),
                                        entry.getValue().error())))
                .toList();
    }

    /** What an admin should be told of records that cannot be read. */
    static Notice unread(GangId gang, String problem) {
        return new Notice("Reservation", gang.namespace(), gang.name(), "InvalidValue", problem);
    }

    /** Work that is not about one gang and that no cycle depends on. */
    static void aside(String what, Runnable work) {
        Isolated.run(work, error -> LOG.errorf(error, "%s could not be reported; the plan is written", what));
    }
}
