package io.slotwise.lab.simulation.metric;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The data for a chart of a simulation: queue length, load and price over time, and the largest runs.
 *
 * <p>Time is divided into at most {@value #MOST_PIECES} pieces of equal length with means over time. When they are used
 * up, neighbours are merged and the length doubles. The {@value #MOST_BARS} runs with most work are kept. So memory is
 * O(1).
 */
public final class SimulationHistory implements SimulationObserver {
    private static final int MOST_PIECES = 1024;
    private static final int MOST_BARS = 1500;
    private static final Comparator<JobRun> BY_WORK = Comparator.comparingLong(JobRun::work)
            .thenComparing(Comparator.comparingLong(JobRun::start).reversed())
            .thenComparing(run -> run.job().id(), Comparator.reverseOrder());

    private final List<Sums> sums = new ArrayList<>();
    private final PriorityQueue<JobRun> bars = new PriorityQueue<>(BY_WORK);
    private long length = 1;
    private long origin = Long.MIN_VALUE;
    private long reached;
    private long waiting;
    private long dropped;
    private MachineLoad load = new MachineLoad(0, 0, 0);

    private static final class Sums {
        private double waiting;
        private double busy;
        private double capacity;
        private double price;
        private double seconds;

        void add(long queue, MachineLoad load, double during) {
            waiting += queue * during;
            busy += load.busy() * during;
            capacity += load.capacity() * during;
            price += load.price() * during;
            seconds += during;
        }

        void add(Sums other) {
            waiting += other.waiting;
            busy += other.busy;
            capacity += other.capacity;
            price += other.price;
            seconds += other.seconds;
        }
    }

    /** The means over a piece of time, in the units of {@link MachineLoad}; the price in currency units per hour. */
    public record Piece(long start, double waiting, double busy, double capacity, double price) {}

    @Override
    public void submitted(Job job) {
        waiting++;
    }

    @Override
    public void started(JobRun run) {
        waiting--;
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        waiting++;
        keep(run);
    }

    @Override
    public void ended(JobRun run) {
        keep(run);
    }

    private void keep(JobRun run) {
        bars.add(run);
        if (bars.size() > MOST_BARS) {
            bars.remove();
            dropped++;
        }
    }

    @Override
    public void passed(long now, MachineLoad after) {
        if (origin == Long.MIN_VALUE) {
            origin = now;
            reached = now;
        }
        spread(now);
        load = after;
        reached = now;
    }

    private void spread(long now) {
        while (now - origin > length * MOST_PIECES) {
            halve();
        }
        long from = reached;
        while (from < now) {
            int piece = (int) ((from - origin) / length);
            long to = Math.min(now, origin + (piece + 1) * length);
            while (sums.size() <= piece) {
                sums.add(new Sums());
            }
            sums.get(piece).add(waiting, load, (double) (to - from));
            from = to;
        }
    }

    private void halve() {
        List<Sums> half = new ArrayList<>();
        for (int i = 0; i < sums.size(); i++) {
            if (i % 2 == 0) {
                half.add(sums.get(i));
            } else {
                half.getLast().add(sums.get(i));
            }
        }
        sums.clear();
        sums.addAll(half);
        length *= 2;
    }

    /** Returns the length of a piece, seconds. */
    public long pieceLength() {
        return length;
    }

    public List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < sums.size(); i++) {
            Sums sum = sums.get(i);
            if (sum.seconds > 0) {
                pieces.add(new Piece(
                        origin + i * length,
                        sum.waiting / sum.seconds,
                        sum.busy / sum.seconds,
                        sum.capacity / sum.seconds,
                        sum.price / sum.seconds / ReplicationMetrics.ONE));
            }
        }
        return pieces;
    }

    /** Returns the runs with most work, by start. */
    public List<JobRun> bars() {
        return bars.stream()
                .sorted(Comparator.comparingLong(JobRun::start)
                        .thenComparing(run -> run.job().id()))
                .toList();
    }

    public long dropped() {
        return dropped;
    }
}
