package io.slotwise.lab.simulation.processors;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Aggressive (EASY) backfilling. Only the head of the queue has a reservation, at its <em>shadow time</em>: the
 * earliest second with enough free processors if every running job lasts as long as its estimate. Every job that does
 * not delay it may start now.
 *
 * <p>A pass has these steps:
 * <ol>
 * <li>Heads start while they fit.
 * <li>The head that does not fit is reserved at its shadow time. The processors that are free then beyond its own are
 * <em>extra</em>.
 * <li>The others start in the order of the scan if they fit now, and either end by the shadow time (ending in that very
 * second is allowed) or need no more than the extra processors.
 * <li>The reservation is dropped. The next pass makes it again.
 * </ol>
 *
 * <p>Running jobs only give processors back, so free capacity grows towards the shadow time, and the two conditions
 * suffice for the reservation. With q waiting jobs and r distinct expected ends of running jobs a pass takes O(r + q)
 * time and O(q + r) memory.
 *
 * <p>Source: D. A. Lifka, "The ANL/IBM SP Scheduling System", Job Scheduling Strategies for Parallel Processing (1995),
 * LNCS 949, pp. 295-303. Source of the shadow time and the extra nodes: A. W. Mu'alem, D. G. Feitelson, "Utilization,
 * Predictability, Workloads, and User Runtime Estimates in Scheduling the IBM SP2 with Backfilling", IEEE Transactions
 * on Parallel and Distributed Systems 12(6), 2001, pp. 529-543, section 2. Source of the scan by shortest estimate
 * (SJBF): D. Tsafrir, Y. Etsion, D. G. Feitelson, "Backfilling Using System-Generated Predictions Rather than User
 * Runtime Estimates", IEEE Transactions on Parallel and Distributed Systems 18(6), 2007, pp. 789-803, section 4. Here
 * the users' estimates replace the predictions. Source of the queue by value: W. E. Smith, "Various Optimizers for
 * Single-Stage Production", Naval Research Logistics Quarterly 3, 1956. That order is best for one machine without
 * gangs; here it is a rule of thumb.
 */
public final class Easy extends Discipline {
    private static final Comparator<Waiting> BY_ARRIVAL = Comparator.comparingLong(Waiting::number);

    /** Smith's rule: by the value of an hour per processor time of the estimate, the highest first. */
    private static final Comparator<Waiting> BY_VALUE =
            ((Comparator<Waiting>) Easy::byDensity).thenComparing(BY_ARRIVAL);

    private final NavigableSet<Waiting> queue;
    private final NavigableSet<Waiting> scanned;
    /** The processors of running jobs, by expected end. */
    private final SortedMap<Long, Integer> expected = new TreeMap<>();

    private long arrivals;

    /** The order in which jobs are considered that may start before the head. */
    public enum Scan {
        ARRIVAL,
        /** The shortest estimate first (SJBF), then by arrival. */
        SHORTEST_ESTIMATE
    }

    /** The rule that selects the head of the queue. */
    public enum Head {
        /** The first arrival. */
        ARRIVAL,
        /** The highest value per processor second of the estimate, then arrival; also the order of the scan. */
        VALUE
    }

    public Easy(ProcessorMachine processors, Scan scan) {
        this(processors, scan, Head.ARRIVAL);
    }

    public Easy(ProcessorMachine processors, Scan scan, Head head) {
        super(processors);
        this.queue = new TreeSet<>(
                switch (head) {
                    case ARRIVAL -> BY_ARRIVAL;
                    case VALUE -> BY_VALUE;
                });
        this.scanned = switch (scan) {
            case ARRIVAL -> queue;
            case SHORTEST_ESTIMATE ->
                new TreeSet<>(Comparator.comparingLong((Waiting waiting) -> waiting.job.estimate())
                        .thenComparing(BY_ARRIVAL));
        };
    }

    private record Waiting(Job job, long number, int size) {
        long value() {
            return job.terms().valueOfTime().hour().micros();
        }

        long processorTime() {
            return Math.multiplyExact(size, job.estimate());
        }
    }

    /** Compares products of two longs exactly. */
    private static int byDensity(Waiting a, Waiting b) {
        int high = Long.compare(
                Math.multiplyHigh(b.value(), a.processorTime()), Math.multiplyHigh(a.value(), b.processorTime()));
        return high != 0 ? high : Long.compareUnsigned(b.value() * a.processorTime(), a.value() * b.processorTime());
    }

    /** The head's reservation: its second, and the processors that are free then beyond the head's. */
    private record Reservation(long shadow, int extra) {}

    @Override
    void queue(Job job, long now) {
        Waiting waiting = new Waiting(job, arrivals++, job.size());
        queue.add(waiting);
        scanned.add(waiting);
    }

    @Override
    public void ended(JobRun run) {
        super.ended(run);
        expected.computeIfPresent(expectedEnd(run), (_, held) -> {
            int left = held - (int) run.capacity();
            return left == 0 ? null : left;
        });
    }

    @Override
    public List<JobRun> pass(long now) {
        List<JobRun> starts = new ArrayList<>();
        while (!queue.isEmpty() && processors.fits(queue.first().job)) {
            Waiting waiting = queue.removeFirst();
            scanned.remove(waiting);
            starts.add(start(waiting, now));
        }
        if (queue.size() >= 2 && processors.free() > 0) {
            backfill(now, starts);
        }
        return starts;
    }

    private void backfill(long now, List<JobRun> starts) {
        Waiting waiting = queue.first();
        Reservation reservation = reservation(waiting);
        int extra = reservation.extra;
        Iterator<Waiting> others = scanned.iterator();
        while (others.hasNext() && processors.free() > 0) {
            Waiting other = others.next();
            boolean inTime = now + other.job.estimate() <= reservation.shadow;
            if (other.equals(waiting) || other.size > processors.free() || (!inTime && other.size > extra)) {
                continue;
            }
            others.remove();
            queue.remove(other);
            starts.add(start(other, now));
            extra -= inTime ? 0 : other.size;
        }
    }

    private Reservation reservation(Waiting waiting) {
        int free = processors.free();
        for (Map.Entry<Long, Integer> entry : expected.entrySet()) {
            free += entry.getValue();
            if (free >= waiting.size) {
                return new Reservation(entry.getKey(), free - waiting.size);
            }
        }
        throw new IllegalStateException("The job (%s) must fit on the idle machine.".formatted(waiting.job.id()));
    }

    private JobRun start(Waiting waiting, long now) {
        JobRun run = processors.start(waiting.job, now);
        expected.merge(expectedEnd(run), waiting.size, Integer::sum);
        return run;
    }

    private static long expectedEnd(JobRun run) {
        return run.start() + run.job().estimate();
    }
}
