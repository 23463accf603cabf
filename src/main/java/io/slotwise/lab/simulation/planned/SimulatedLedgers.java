package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.ledger.Overrun;
import io.slotwise.lab.simulation.JobRun;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The ledgers of the users of a simulated cluster. A user takes the place of a namespace. */
final class SimulatedLedgers {
    private final SortedMap<String, Ledger> ledgers = new TreeMap<>();

    /** Charges a run that has ended or was stopped. O(days). */
    void ended(RunningJob job, JobRun run) {
        Overrun overrun = job.overrun(run.end(), run.end());
        String user = job.before.gang.id().namespace();
        Ledger ledger = ledgers.getOrDefault(user, Ledger.empty(user));
        // A run ends once, so its entry is not needed to recognize the end.
        ledgers.put(
                user,
                kept(ledger, Map.of(job.settled(overrun, run.end()), overrun), run.end())
                        .withEntries(List.of()));
    }

    /** Returns the ledgers with what running gangs hold, to the end of their next grace. O(days + placements). */
    Collection<Ledger> at(long now, Collection<RunningJob> running, OverrunGrace grace) {
        Map<String, Map<LedgerEntry, Overrun>> open = running.stream()
                .collect(Collectors.groupingBy(
                        job -> job.before.gang.id().namespace(),
                        Collectors.toMap(RunningJob::entry, job -> job.overrun(now, grace))));
        SortedMap<String, Ledger> all = new TreeMap<>(ledgers);
        open.keySet().forEach(user -> all.putIfAbsent(user, Ledger.empty(user)));
        all.replaceAll((user, ledger) -> kept(ledger, open.getOrDefault(user, Map.of()), now));
        return all.values();
    }

    private static Ledger kept(Ledger ledger, Map<LedgerEntry, Overrun> runs, long now) {
        Map<LedgerEntry.Key, Overrun> overruns = runs.entrySet().stream()
                .collect(Collectors.toMap(run -> run.getKey().key(), Map.Entry::getValue));
        return ledger.kept(new Ledger.Observation(new ArrayList<>(runs.keySet()), overruns, Set.of(), now, 0));
    }
}
