package io.slotwise.core.recall;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.ClusterChanges;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.recall.PlanMemory.Known;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a cycle knows from the one before it and finds itself: which searches need not be made, since they have the
 * answer that they had.
 *
 * <p><b>The rule.</b> Let a gang have searched exactly for its best window by a criterion, within some terms and a
 * budget, on the room R that others left it. Now it seeks, by the same criterion and the same limit of the price,
 * within terms that start no sooner and for a budget that is no higher, on the room R' that others leave it now. If its
 * answer then is still one of the windows that are sought (or was none), the best window is the better one of that
 * answer and of the best of those that start in a second in which a pod of the gang can stand on room that a holder has
 * given up since, or that end or start later than the terms allowed then. Where there are no such seconds, nothing is
 * searched.
 *
 * <p><b>Proof.</b> Take a window w that is sought now and none of those. Each of its pods stands, on every second of
 * its stay and of the turnover after it, where no holder but the gang itself has given up room since. What others hold
 * on these seconds of these nodes is therefore at least what they held then, so w had room in R; and it lay within the
 * terms and the budget of then. So it was one of the windows among which the answer was the best, and is not better
 * than it in the order of {@link WindowSearch#order}, which is total and does not look at room. If there was no answer
 * there is no such w. The same holds as long as the answer was one of the windows sought. What costs a window has, its
 * nodes say: a node that is another one than before counts as given up for all times, and an answer on it is forgotten.
 * So is one of a gang that is not as it was. Answers of searches that had to be bounded are not remembered, nor those
 * of gangs whose pods look at others, nor any found while the gang itself held room beside the window that counted as
 * free. (A search that has to be bounded only now, on less room, would be answered with the exact window.)
 *
 * <p><b>What is not searched either.</b> A window that is new has a pod on room that was given up, so it costs no less
 * than a pod does there at least and the others do anywhere at least. Where that is more than the budget, or by the
 * cost (the value) more than the answer that is known, the node is passed over. All its pods start at one second t and
 * stay d seconds or more, so for every g &lt;= d all of them have room at the first floor(d / g) multiples of g from t
 * on, at each of these as many units as there are pods, one of them where room was given up. What these units add to a
 * sum is no less than what as many of the cheapest that are free all that time add there; if that is more than the sum
 * may be, no window starts then. Nor does one if none of the pods that can start then on room that was given up, and
 * has room until it ends, keeps within every sum beside the least that the others add. That is known of all gangs with
 * pods of one size at once ({@link Instants}); only for the seconds that are left are nodes looked at, and nodes
 * without room for a pod until it ends are left out; if no node is left on which room was given up, there is no new
 * window.
 *
 * <p><b>A window whose room is taken twice.</b> While alternatives are looked for, one of another gang may lie on the
 * room of that gang's own window, so that the window which a gang has seems to have no room. What it seeks then is a
 * window in place of its own, which starts and ends no later, costs no more and is no worse by the criterion. One that
 * is better in the order of windows is new, as above. Any other one has the same value, start and cost, and would have
 * to end earlier: by the finish and by the runtime there is none, nor where all pods of the own window take as long as
 * the fastest node does. By other criteria it is looked for in the second in which the own window starts alone, as one
 * of the same value, start and cost is there. If there is none the answer is the own window, which replaces nothing.
 *
 * <p><b>An own window that is better than the answer.</b> It may have been moved on its nodes since, or been given by
 * another part of the cycle. All windows that are sought and are not new are no better than the answer, so it is as if
 * the own window had been the answer; whether that suits what is sought does not matter then.
 *
 * <p>Who has given up room since is known from {@link io.slotwise.core.cluster.RoomHolders} within a cycle, by the
 * identity of holders, and between two cycles by comparing who held room at the end of the one with who holds it at the
 * beginning of the other. An occupation that is prolonged, or that a gang has where it had its window, gives nothing
 * up. Of a departure it is told from when until when a pod of the gang's size could stay there, and whether it still
 * can ({@link DepartedRoom}); if so, the search is made for those seconds alone and on those nodes that can take a pod
 * in them beside all others of the gang ({@link Instants}). Whether a window could start sooner on its own nodes is
 * remembered in the same way ({@link RecalledHindrances#isStill}), and so is whether a gang had room at no second at
 * all, however it is cut ({@link RecalledHindrances#crowdedUntil}).
 *
 * <p>O(1 + d + seats) for a question that is answered so, for d departures since; O(nodes + occupations + seats) once a
 * cycle. Safe for threads as long as no caller changes the free capacity meanwhile.
 */
public final class SearchRecollection {
    /**
     * Findings of a gang that are kept: its own criterion, backfilling, the reasons why it has no window, some periods
     * of accounts.
     */
    private static final int MOST_FINDINGS = 8;

    private final Timeline timeline;
    private final RoomChanges changes;
    private final RecalledHindrances hindrances;
    private final NewWindows newWindows;
    private final Map<GangId, Known> known = Collections.synchronizedMap(new HashMap<>());
    private boolean remembers;
    private boolean allHeld;

    /**
     * What a timeline was made of.
     *
     * @param now nothing is asked about seconds before this one, since the epoch
     * @param changes of the cluster since the cycle before; null: none is remembered that was planned by these rules
     * @param waiting the gangs that look for windows
     * @param allHeld whether every promise has its room in it beside all others
     */
    public record Picture(long now, @Nullable ClusterChanges changes, Set<GangId> waiting, boolean allHeld) {}

    /**
     * One that knows nothing, and notes nothing before it {@linkplain #begin begins}.
     *
     * @param searches who is told of searches
     */
    public SearchRecollection(Timeline timeline, PodTariffs tariffs, SearchObserver searches) {
        GangDurations durations = new GangDurations(tariffs.nodes());
        this.timeline = timeline;
        this.changes = new RoomChanges(timeline);
        this.hindrances = new RecalledHindrances(timeline, changes, durations);
        this.newWindows = new NewWindows(timeline, changes, tariffs, durations, searches);
    }

    /**
     * Begins with what is remembered, once all promises have their room.
     *
     * @param memory of the cycle before
     * @param picture what the timeline was made of
     * @param promises the windows that have room in it
     */
    public void begin(PlanMemory memory, Picture picture, Collection<Window> promises) {
        remembers = true;
        allHeld = picture.allHeld();
        ClusterChanges others = picture.changes();
        if (others == null) {
            changes.begin(PlanMemory.NOTHING.departures(), promises);
            return;
        }
        changes.begin(memory.departures(), promises);
        newWindows.begin(picture.now(), memory.instants());
        CycleDifferences differences = new CycleDifferences(memory, others, timeline, picture.now());
        differences.departures(promises).stream().distinct().forEach(changes::add);
        Set<String> otherNodes = others.otherNodes();
        memory.known().forEach((gang, what) -> {
            List<RecalledFinding> sound = otherNodes.isEmpty()
                    ? what.findings()
                    : what.findings().stream()
                            .filter(finding -> finding.window() == null
                                    || finding.window().placements().stream()
                                            .noneMatch(seat -> otherNodes.contains(seat.node())))
                            .toList();
            if (!sound.isEmpty() && picture.waiting().contains(gang)) {
                known.put(gang, otherNodes.isEmpty() ? what : new Known(what.gang(), sound));
            }
        });
        hindrances.begin(memory.hindrances(), picture.waiting()::contains);
        changes.forgetOld();
    }

    /**
     * What it leaves to the next cycle.
     *
     * @param windows that the gangs have at the end
     * @param promised what was free when it began
     */
    public PlanMemory memory(
            Object rules, Cluster cluster, IdentityHashMap<Gang, Window> windows, PromisedRoom promised) {
        if (!remembers) {
            return PlanMemory.NOTHING;
        }
        changes.settle();
        Map<GangId, PlanMemory.Held> held = HashMap.newHashMap(windows.size());
        windows.forEach((gang, window) -> held.put(gang.id(), new PlanMemory.Held(gang, window)));
        long from = Math.max(changes.first(), needed());
        Map<GangId, Known> sound = HashMap.newHashMap(known.size());
        known.forEach((gang, what) -> {
            Known late = what.since(from);
            if (late != null) {
                sound.put(gang, late);
            }
        });
        return new PlanMemory(
                rules, cluster, held, changes.from(from), sound, hindrances.since(from), newWindows.kept(), promised);
    }

    /** The departures before these many have been seen by what is known last of each gang. */
    private long needed() {
        long needed = changes.seen();
        for (Known what : known.values()) {
            long latest = 0;
            for (RecalledFinding finding : what.findings()) {
                latest = Math.max(latest, finding.seen());
            }
            // One that is too old to be of use has nothing to say.
            needed = latest < changes.first() ? needed : Math.min(needed, latest);
        }
        return needed;
    }

    /** What is known to be in the way of gangs; null: nothing is noted. */
    @Nullable
    RecalledHindrances hindrances() {
        return remembers ? hindrances : null;
    }

    /**
     * An answer that is known.
     *
     * @param window the best; null: there is none
     */
    record Answer(@Nullable Window window) {}

    /**
     * What is known of a question: the answer, and null if it is not known, as it never is of a gang whose pods look at
     * others.
     */
    @Nullable
    Answer recalled(Gang gang, WindowRequest sought) {
        if (!remembers) {
            return null;
        }
        changes.settle();
        Known what = known.get(gang.id());
        if (what == null || !what.gang().equals(gang)) {
            return null;
        }
        for (RecalledFinding finding : what.findings()) {
            if (changes.knowsSince(finding.seen()) && finding.isAbout(sought)) {
                Answer answer = answered(gang, finding.orOwn(gang, sought.own()), sought);
                if (answer != null) {
                    return answer;
                }
            }
        }
        return null;
    }

    private @Nullable Answer answered(Gang gang, RecalledFinding finding, WindowRequest sought) {
        Window window = finding.window();
        if (!finding.suits(sought)) {
            return null;
        }
        if (window == null || stands(window, sought) || window.fitsInPlaceOf(sought.own(), timeline, gang)) {
            return answer(gang, finding, sought);
        }
        return window.equals(sought.own()) ? inPlaceOfOwn(gang, finding, sought, window) : null;
    }

    /**
     * Whether it is known that a window has its room beside all others: the gang's own one, if all promises held when
     * the cycle began, and nobody has taken room on its nodes since. It was a promise then, as otherwise the gang
     * itself would have taken that room since.
     */
    private boolean stands(Window window, WindowRequest sought) {
        return allHeld && window.equals(sought.own()) && changes.isUntouched(window);
    }

    /** The answer where the best window known is the gang's own and alternatives of others lie on its room. */
    private @Nullable Answer inPlaceOfOwn(Gang gang, RecalledFinding finding, WindowRequest sought, Window own) {
        if (tellsTheEnd(sought.criterion())) {
            return answer(gang, finding, sought);
        }
        SlotTerms terms = sought.terms();
        boolean replaces = sought.criterion() == gang.criterion()
                && terms.latest() <= own.start()
                && sought.budget().compareTo(own.cost()) <= 0;
        Answer better = replaces ? answer(gang, finding, sought) : null;
        if (better == null || !own.equals(better.window())) {
            return better;
        }
        return newWindows.mayEndSooner(gang, own) ? newWindows.alike(gang, sought, own) : better;
    }

    /** Whether windows that are alike by a criterion and start together end together. */
    private static boolean tellsTheEnd(Criterion criterion) {
        return criterion == Criterion.FINISH || criterion == Criterion.RUNTIME;
    }

    private @Nullable Answer answer(Gang gang, RecalledFinding finding, WindowRequest sought) {
        Window before = finding.window();
        if (finding.reaches(sought.terms()) && finding.seen() == changes.seen()) {
            return new Answer(before);
        }
        OpenSeconds open = newWindows.seconds(gang, finding, sought);
        Answer best = open.isEmpty() ? new Answer(before) : newWindows.within(gang, sought, open, before);
        if (best != null) {
            note(gang, sought, best.window());
        }
        return best;
    }

    /** The answer of an exact search, or of what was known, of a gang whose pods look at no others. */
    void note(Gang gang, WindowRequest sought, @Nullable Window answer) {
        if (!remembers || !changes.holdsOnly(gang, sought.own())) {
            return;
        }
        RecalledFinding found = RecalledFinding.of(sought, answer, changes.seen());
        known.compute(gang.id(), (_, before) -> {
            List<RecalledFinding> findings = new ArrayList<>();
            findings.add(found);
            if (before != null && before.gang().equals(gang)) {
                before.findings().stream()
                        .filter(other -> !found.replaces(other) || isOfHeld(other, found, sought.own()))
                        .limit(MOST_FINDINGS - 1)
                        .forEach(findings::add);
            }
            return new Known(gang, findings);
        });
    }

    /**
     * Whether the window that the gang has was found before, and now a better one: if another gang takes that one, the
     * own is still the best that there was, so that only what is new since then needs to be searched.
     */
    private static boolean isOfHeld(RecalledFinding before, RecalledFinding found, @Nullable Window own) {
        return own != null && own.equals(before.window()) && !own.equals(found.window());
    }
}
