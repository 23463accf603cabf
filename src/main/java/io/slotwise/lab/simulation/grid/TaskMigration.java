package io.slotwise.lab.simulation.grid;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves tasks of a gang to idle processors, so that it starts though some of its own processors are busy.
 *
 * <p>Of the gangs that have a task at the head of an idle processor's queue and no more tasks than there are idle
 * processors, the one with the fewest tasks to move goes; the first of them in the queues' order. Its tasks on busy
 * processors go to the idle processors with the shortest queues. Local migration looks at the processors of one
 * cluster, external migration at those of all clusters, and spreads gangs over them.
 *
 * <p>Aging: a gang that {@code aging} gangs that came later have migrated past lets none of these migrate any more.
 *
 * <p>O(w p) for w waiting gangs and p processors.
 *
 * <p>Source: Pinto et al. (2014), section V-A, strategies 1 to 4. How aging regulates the migrations is not said there;
 * the rule above is ours.
 */
final class TaskMigration {
    private final Occupancy occupancy;
    private final int aging;

    TaskMigration(Occupancy occupancy, int aging) {
        this.occupancy = occupancy;
        this.aging = aging;
    }

    /**
     * A gang that can migrate.
     *
     * @param to its processors afterwards
     * @param tasks that move
     */
    record Move(GridJob job, BitSet to, int tasks) {}

    /**
     * The gang that migrates next; null: none can.
     *
     * @param waiting gangs of these processors in the queues' order
     * @param idle the idle processors of one cluster or of all
     */
    @Nullable
    Move next(List<GridJob> waiting, List<Integer> idle) {
        BitSet free = new BitSet();
        idle.forEach(free::set);
        long firstAged = waiting.stream()
                .filter(job -> job.passedOver() >= aging)
                .mapToLong(GridJob::number)
                .min()
                .orElse(Long.MAX_VALUE);
        BitSet behind = new BitSet();
        GridJob best = null;
        int fewest = Integer.MAX_VALUE;
        for (GridJob job : waiting) {
            int here = 0;
            boolean first = false;
            for (int p = job.processors().nextSetBit(0);
                    p >= 0;
                    p = job.processors().nextSetBit(p + 1)) {
                if (free.get(p)) {
                    here++;
                    first |= !behind.get(p);
                }
            }
            behind.or(job.processors());
            int moved = job.tasks() - here;
            if (first && job.tasks() <= idle.size() && job.number() <= firstAged && moved < fewest) {
                best = job;
                fewest = moved;
            }
        }
        return best == null ? null : new Move(best, destination(best, idle), fewest);
    }

    /** Its own idle processors and the idle ones with the shortest queues beside them. */
    private BitSet destination(GridJob job, List<Integer> idle) {
        BitSet to = new BitSet();
        idle.stream()
                .sorted(Comparator.comparing((Integer p) -> !job.processors().get(p))
                        .thenComparingInt(occupancy::queued)
                        .thenComparing(Comparator.naturalOrder()))
                .limit(job.tasks())
                .forEach(to::set);
        return to;
    }
}
