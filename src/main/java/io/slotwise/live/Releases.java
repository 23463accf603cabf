package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.Registry.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Lets gangs go when their windows come. The record is written first ({@code Promised} to {@code Starting}, naming the version
 * that was read), then the pods are sent to their nodes: a cycle that moves the window at the same moment and this release
 * cannot both succeed.
 */
public final class Releases {
    private static final Logger LOG = Logger.getLogger(Releases.class);
    private static final Duration AGAIN = Duration.ofMillis(100);
    /** A start that is this late shows that its release came too late. */
    private static final Duration NOTICEABLE = Duration.ofMillis(200);

    private final CurrentSettings current;
    private final BooleanSupplier leading;
    private final ClusterView view;
    private final Registry registry;
    private final Gatekeeper gatekeeper;
    private final InstantSource clock;
    private final Lead lead;
    private final Executor writers;
    private final Set<GangId> busy = ConcurrentHashMap.newKeySet();
    private final Map<GangId, String> sent = new ConcurrentHashMap<>();
    private final Map<GangId, Flight> flights = new ConcurrentHashMap<>();
    private final AtomicInteger onTheirWay = new AtomicInteger();

    /**
     * A gang on its way to the barrier.
     *
     * @param began when its release began
     * @param pods on their way then, its own among them
     * @param attempts how many times it had been taken back before
     */
    private record Flight(Instant began, int pods, int attempts) {}

    /**
     * One look at all gangs.
     *
     * @param settings in force
     * @param leaving the gangs that were found to be due
     */
    private record Pass(Settings settings, Departures departures, Instant now, List<Departure> leaving) {}

    /** A gang that is sent now. */
    private record Departure(Standing standing, Window window, List<Member> members) {
        int pods() {
            return window.placements().size();
        }
    }

    /**
     * Releases.
     *
     * @param leading whether this replica may release
     * @param writers runs one task for each gang that is due
     */
    public Releases(
            CurrentSettings current,
            BooleanSupplier leading,
            ClusterView view,
            Registry registry,
            Gatekeeper gatekeeper,
            InstantSource clock,
            Lead lead,
            Executor writers) {
        this.clock = clock;
        this.lead = lead;
        this.current = current;
        this.leading = leading;
        this.view = view;
        this.registry = registry;
        this.gatekeeper = gatekeeper;
        this.writers = writers;
    }

    /**
     * Releases every gang that is due at {@code now}. O(gangs), and for each gang that is due O(pods on its nodes).
     *
     * @return when to look again, or null: when a record changes
     */
    public @Nullable Instant release(Instant now) {
        if (!leading.getAsBoolean() || !view.ready()) {
            return null;
        }
        Instant next = null;
        Collection<Standing> standings = view.standings();
        Settings settings = current.get();
        Pass pass =
                new Pass(settings, new Departures(standings, lead.throughput().perPod()), now, new ArrayList<>());
        Set<GangId> known = new HashSet<>();
        for (Standing standing : standings) {
            known.add(standing.gang());
            learn(standing, now);
            Instant wanted = consider(standing, pass);
            if (wanted != null && (next == null || wanted.isBefore(next))) {
                next = wanted;
            }
        }
        begin(pass);
        sent.keySet().retainAll(known);
        flights.keySet().retainAll(known);
        return next;
    }

    /** Learns from a gang that has arrived how long its way was, if it was too long, and from one that has not. */
    private void learn(Standing standing, Instant now) {
        Flight last = flights.get(standing.gang());
        if (last != null && standing.history().attempts() > last.attempts()) {
            flights.remove(standing.gang());
            lead.failed();
        }
        if (standing.phase() == Phase.PROMISED || standing.phase() == Phase.STARTING) {
            return;
        }
        Flight flight = flights.remove(standing.gang());
        Promise promise = standing.promise();
        if (flight != null
                && promise != null
                && standing.phase() == Phase.RUNNING
                && now.isAfter(Instant.ofEpochSecond(promise.window().start()).plus(NOTICEABLE))) {
            lead.late(flight.pods(), Duration.between(flight.began(), now));
        }
    }

    /** Releases one gang if it is due and may go; returns when to look at it again, or null. */
    private @Nullable Instant consider(Standing standing, Pass pass) {
        Promise promise = standing.promise();
        if (promise == null
                || standing.tenure().isHeld()
                || (standing.phase() != Phase.PROMISED && standing.phase() != Phase.STARTING)) {
            return null;
        }
        Window window = promise.window();
        Instant now = pass.now();
        Instant due = due(window, pass);
        if (due.isAfter(now)) {
            return due;
        }
        long latest = window.start()
                + (standing.phase() == Phase.PROMISED
                        ? pass.settings().tolerance()
                        : pass.settings().startTimeout() - 1);
        if (now.getEpochSecond() > latest || standing.version().equals(sent.get(standing.gang()))) {
            return null;
        }
        List<Member> members = view.members(standing);
        if (!busy.contains(standing.gang()) && mayGo(standing, window, members, pass)) {
            pass.leaving().add(new Departure(standing, window, members));
        }
        return now.plus(AGAIN);
    }

    /**
     * A gang is released as long before its start as its pods, and those that start with it or soon after it, need to reach the barrier.
     * More than the turnover before it only where nobody else is to start in its room meanwhile: its pods would be in that gang's way.
     */
    private Instant due(Window window, Pass pass) {
        Instant start = Instant.ofEpochSecond(window.start());
        Duration wanted = lead.launch(pass.departures().podsBefore(window.start()));
        Duration turnover = Duration.ofSeconds(pass.settings().policy().turnover());
        return wanted.compareTo(turnover) <= 0 || pass.departures().nobodyBefore(window)
                ? start.minus(wanted)
                : start.minus(turnover);
    }

    /**
     * Whether a gang may be sent now: whole, to nodes that are usable and have room, also for those that are on their way there. One that is sent
     * in vain costs more than a new promise: its pods have no gate any more, and kube-scheduler tries them beside all that could start.
     */
    private boolean mayGo(Standing standing, Window window, List<Member> members, Pass pass) {
        return standing.phase() == Phase.STARTING
                ? members.stream().anyMatch(Member::gated)
                : whole(window, members)
                        && window.placements().stream()
                                .map(Placement::node)
                                .distinct()
                                .allMatch(view::usable)
                        && view.hasRoom(window, pass.departures().onTheirWayTo(window));
    }

    private static boolean whole(Window window, List<Member> members) {
        Map<String, Member> byName = new HashMap<>();
        members.forEach(member -> byName.put(member.pod(), member));
        Set<String> waiting = new HashSet<>();
        for (Placement place : window.placements()) {
            Member member = byName.get(place.pod());
            if (member != null && member.state() == Member.State.WAITING) {
                waiting.add(place.pod());
            }
        }
        return waiting.size() == window.placements().size();
    }

    private void begin(Pass pass) {
        int pods = onTheirWay.addAndGet(
                pass.leaving().stream().mapToInt(Departure::pods).sum());
        for (Departure gang : pass.leaving()) {
            Flight flight =
                    new Flight(pass.now(), pods, gang.standing().history().attempts());
            busy.add(gang.standing().gang());
            flights.put(gang.standing().gang(), flight);
            writers.execute(() -> {
                try {
                    send(gang.standing(), gang.window(), gang.members(), flight);
                } finally {
                    busy.remove(gang.standing().gang());
                    onTheirWay.addAndGet(-gang.pods());
                }
            });
        }
    }

    private void send(Standing standing, Window window, List<Member> members, Flight flight) {
        Standing starting = standing;
        if (standing.phase() == Phase.PROMISED) {
            Standing wanted =
                    standing.in(Phase.STARTING).started(false, "Released", "its pods are on their way", window.start());
            switch (registry.write(standing, wanted)) {
                case Outcome.Written written -> starting = written.standing();
                case Outcome.Conflict _ -> {
                    return;
                }
                case Outcome.Failed failure -> {
                    LOG.warnf("%s was not released: %s", standing.gang(), failure.message());
                    return;
                }
            }
        }
        sent.put(standing.gang(), starting.version());
        List<String> failures = gatekeeper.release(window, members);
        lead.sent(flight.pods(), Duration.between(flight.began(), clock.instant()));
        if (failures.isEmpty()) {
            LOG.infof("%s released: %s", standing.gang(), Verdicts.words(window));
        } else {
            sent.remove(standing.gang());
            LOG.warnf("%s released but for %d pods: %s", standing.gang(), failures.size(), failures.getFirst());
        }
    }
}
