package io.slotwise.core.recall;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.ClusterChanges;
import io.slotwise.core.cluster.FreeRoom;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.recall.PromisedRoom.Standing;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The timelines of a cycle in which promises that held in the one before have their room already, and which of these
 * need no look: scratch of one cycle. Promises are looked at without turnover, windows are searched with it; where
 * there is none both are the same timeline.
 *
 * <p><b>The rule.</b> A promise stands if it held in the cycle before, the gang and its window are the same now, and so
 * are all nodes of the window. It need not be looked at if since then nobody has taken room on these nodes, neither
 * what runs there now and did not then nor another promise.
 *
 * <p><b>Proof.</b> Whether a gang allows its window, and whether a node takes it, follows from the gang, the window and
 * the node alone; no clock is asked. What is free is what there is less what all holders have taken, whoever came
 * first. So a timeline that goes on from the one before, in which everybody has given up room who does not hold it any
 * more and everybody has taken room who did not hold it then, has as much free as one that is made anew, at every
 * second from now on; and a promise that stands has its own room there. It held if on its nodes nothing was less than
 * nothing from then on until it ends. Of the seconds that were looked at those are left from now on, and at none of
 * them is less free than then if there was nobody who took any.
 *
 * <p>O(nodes + promises + changes of the cluster), and O(seats x breakpoints of their nodes) of promises that do not
 * stand.
 */
public final class StandingPromises {
    private final Timeline timeline;
    private final Timeline searched;
    private final List<Standing> before;
    private final @Nullable ClusterChanges changes;

    /** Of each position then the one now, negative: the node is gone or another one; null: all are the same. */
    private final int @Nullable [] positions;

    /** The nodes on which somebody has taken room. */
    private final BitSet touched = new BitSet();

    /** So many of those before have been passed. */
    private int passed;

    /** Those that stand. */
    private final List<Standing> standing = new ArrayList<>();

    /** Those that have taken their room since, only where promises are looked at. */
    private final Set<Standing> taken = Collections.newSetFromMap(new IdentityHashMap<>());

    private StandingPromises(
            Timeline timeline, Timeline searched, List<Standing> before, @Nullable ClusterChanges changes) {
        this.timeline = timeline;
        this.searched = searched;
        this.before = before;
        this.changes = changes;
        this.positions = changes == null || changes.otherNodes().isEmpty() ? null : positions(changes);
        if (changes != null) {
            changes.come().stream().map(Occupation::node).forEach(this::touch);
        }
    }

    /**
     * None stands, and none has its room.
     *
     * @param timeline where promises are looked at, without turnover
     * @param searched where windows are searched; the same one where there is no turnover
     */
    public static StandingPromises none(Timeline timeline, Timeline searched) {
        return new StandingPromises(timeline, searched, List.of(), null);
    }

    /**
     * Those that may stand in this cluster, all of which have their room in its timelines.
     *
     * @param changes of the cluster since
     * @param now nothing is asked about seconds before this one, since the epoch
     * @param turnover seconds kept free after every holder, as in the cycle before
     * @return null where it is not known what was free
     */
    public static @Nullable StandingPromises of(
            PromisedRoom before, ClusterChanges changes, Cluster cluster, long now, long turnover) {
        FreeRoom room = before.room();
        FreeRoom searched = before.searched();
        if (room == null || searched == null || room.origin() > now) {
            return null;
        }
        Timeline timeline = new Timeline(cluster, now, 0, room, changes);
        return new StandingPromises(
                timeline,
                turnover == 0 ? timeline : new Timeline(cluster, now, turnover, searched, changes),
                before.promises(),
                changes);
    }

    private int[] positions(ClusterChanges since) {
        int most = 0;
        Inventory inventory = timeline.inventory();
        for (int i = 0; i < inventory.size(); i++) {
            most = Math.max(most, since.before(i) + 1);
        }
        int[] now = new int[most];
        Arrays.fill(now, -1);
        for (int i = 0; i < inventory.size(); i++) {
            if (since.before(i) >= 0) {
                now[since.before(i)] = i;
            }
        }
        return now;
    }

    /** What is free where promises are looked at. */
    public Timeline timeline() {
        return timeline;
    }

    /** What is free where windows are searched. */
    public Timeline searched() {
        return searched;
    }

    /**
     * A gang's promise as one that stands; null: it does not, and has no room. Those that are passed over, as there is
     * none for their gangs any more, give up theirs.
     *
     * @param gang one after the other by their names
     */
    @SuppressWarnings("ReferenceEquality") // What is equal is mostly the same.
    public @Nullable Standing standing(Gang gang, Window window) {
        GangId id = gang.id();
        while (passed < before.size()) {
            Standing known = before.get(passed);
            boolean same = known.gang() == gang || known.gang().id().equals(id);
            if (!same && known.gang().id().compareTo(id) > 0) {
                return null;
            }
            passed++;
            Standing now = same && known.window().equals(window) && known.gang().equals(gang) ? moved(known) : null;
            if (now != null) {
                standing.add(now);
                return now;
            }
            giveUp(known);
            if (same) {
                return null;
            }
        }
        return null;
    }

    /** All that have not been passed give up their room. */
    public void giveUpRest() {
        while (passed < before.size()) {
            giveUp(before.get(passed++));
        }
    }

    /** The same at the positions of now; null: a node is gone or another one. */
    private @Nullable Standing moved(Standing known) {
        int[] to = positions;
        if (to == null) {
            return known;
        }
        int[] nodes = new int[known.count()];
        for (int i = 0; i < nodes.length; i++) {
            int then = known.node(i);
            nodes[i] = then < to.length ? to[then] : -1;
            if (nodes[i] < 0) {
                return null;
            }
        }
        return new Standing(known.gang(), known.window(), known.hasRules(), nodes);
    }

    @SuppressWarnings("ReferenceEquality") // One timeline or two.
    private void giveUp(Standing known) {
        giveUp(known, timeline);
        if (searched != timeline) {
            giveUp(known, searched);
        }
    }

    /** On nodes that are others nothing but what runs has its room. */
    private void giveUp(Standing known, Timeline where) {
        known.window().eachRoom(known.gang(), (node, amount, interval) -> {
            int position = where.inventory().position(node);
            if (position >= 0 && changes != null && changes.before(position) >= 0) {
                where.nodes().get(position).vacate(amount, interval);
            }
        });
    }

    /** A promise that has taken its room now where promises are looked at; all of its nodes are there. */
    public Standing taken(Gang gang, Window window) {
        List<Placement> seats = window.placements();
        int[] nodes = new int[seats.size()];
        int count = 0;
        for (Placement seat : seats) {
            int position = timeline.inventory().position(seat.node());
            if (count == 0 || nodes[count - 1] != position) {
                nodes[count++] = position;
                touched.set(position);
            }
        }
        Standing promise = new Standing(
                gang, window, gang.hasRules(), count == nodes.length ? nodes : Arrays.copyOf(nodes, count));
        taken.add(promise);
        return promise;
    }

    private void touch(String node) {
        int position = timeline.inventory().position(node);
        if (position >= 0) {
            touched.set(position);
        }
    }

    /** Whether somebody has taken room on a node of a promise. */
    public boolean isTouched(Standing promise) {
        for (int i = 0; i < promise.count(); i++) {
            if (touched.get(promise.node(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * From now on these promises, which hold, have their room where windows are searched, too, and no others have it.
     */
    @SuppressWarnings("ReferenceEquality") // One timeline or two.
    public void settle(List<Standing> kept) {
        if (searched == timeline) {
            return;
        }
        if (kept.size() < standing.size() + taken.size()) {
            Set<Standing> holding = Collections.newSetFromMap(new IdentityHashMap<>(kept.size()));
            holding.addAll(kept);
            standing.stream()
                    .filter(promise -> !holding.contains(promise))
                    .forEach(promise -> giveUp(promise, searched));
        }
        kept.stream()
                .filter(taken::contains)
                .forEach(promise -> promise.window().occupy(searched, promise.gang()));
    }

    /** What the next cycle may go on from, once these promises alone have their room. */
    @SuppressWarnings("ReferenceEquality") // One timeline or two.
    public PromisedRoom room(List<Standing> kept) {
        FreeRoom room = timeline.freeRoom();
        return new PromisedRoom(room, searched == timeline ? room : searched.freeRoom(), kept);
    }
}
