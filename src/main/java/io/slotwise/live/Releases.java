package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.Registry.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
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
    private static final Duration BASE = Duration.ofMillis(500);
    private static final Duration PER_POD = Duration.ofMillis(4);
    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final Duration KUBE_SCHEDULER = Duration.ofMillis(300);

    private final Settings settings;
    private final long tolerance;
    private final BooleanSupplier leading;
    private final ClusterView view;
    private final Registry registry;
    private final Gatekeeper gatekeeper;
    private final InstantSource clock;
    private final Lead lead;
    private final Executor writers;
    private final Set<GangId> busy = ConcurrentHashMap.newKeySet();
    private final Map<GangId, String> sent = new ConcurrentHashMap<>();

    /**
     * Releases.
     *
     * @param leading whether this replica may release
     * @param writers runs one task for each gang that is due
     */
    public Releases(
            Settings settings,
            BooleanSupplier leading,
            ClusterView view,
            Registry registry,
            Gatekeeper gatekeeper,
            InstantSource clock,
            Lead lead,
            Executor writers) {
        this.clock = clock;
        this.lead = lead;
        this.settings = settings;
        this.tolerance = new LifeCycle(settings).tolerance();
        this.leading = leading;
        this.view = view;
        this.registry = registry;
        this.gatekeeper = gatekeeper;
        this.writers = writers;
    }

    /**
     * How long before its start a gang is released: long enough for its pods to reach the barrier, measured by the last releases
     * and by its size, and no longer, because whoever leaves its room late may use the turnover too. Before the turnover its
     * room is not certain to be free; without one it is released at its start.
     */
    static Duration headStart(long turnover, int pods, Duration lastReleases) {
        Duration usual = BASE.plus(PER_POD.multipliedBy(pods));
        Duration measured = KUBE_SCHEDULER.plus(lastReleases);
        Duration wanted = usual.compareTo(measured) > 0 ? usual : measured;
        Duration most = Duration.ofSeconds(turnover);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    /**
     * Releases every gang that is due at {@code now}.
     *
     * @return when to look again, or null: when a record changes
     */
    public @Nullable Instant release(Instant now) {
        if (!leading.getAsBoolean() || !view.ready()) {
            return null;
        }
        Instant next = null;
        Set<GangId> known = new HashSet<>();
        for (Standing standing : view.standings()) {
            known.add(standing.gang());
            Instant wanted = consider(standing, now);
            if (wanted != null && (next == null || wanted.isBefore(next))) {
                next = wanted;
            }
        }
        sent.keySet().retainAll(known);
        return next;
    }

    /** Releases one gang if it is due and may go; returns when to look at it again, or null. */
    private @Nullable Instant consider(Standing standing, Instant now) {
        Promise promise = standing.promise();
        if (promise == null || (standing.phase() != Phase.PROMISED && standing.phase() != Phase.STARTING)) {
            return null;
        }
        Window window = promise.window();
        Instant due = due(window);
        if (due.isAfter(now)) {
            return due;
        }
        long latest = window.start() + (standing.phase() == Phase.PROMISED ? tolerance : settings.startTimeout() - 1);
        if (now.getEpochSecond() > latest || standing.version().equals(sent.get(standing.gang()))) {
            return null;
        }
        List<Member> members = view.members(standing);
        if (!busy.contains(standing.gang()) && mayGo(standing, window, members)) {
            begin(standing, window, members);
        }
        return now.plus(AGAIN);
    }

    private Instant due(Window window) {
        return Instant.ofEpochSecond(window.start())
                .minus(headStart(
                        settings.policy().turnover(), window.placements().size(), lead.release()));
    }

    private boolean mayGo(Standing standing, Window window, List<Member> members) {
        return standing.phase() == Phase.STARTING
                ? members.stream().anyMatch(Member::gated)
                : whole(window, members)
                        && window.placements().stream()
                                .map(Placement::node)
                                .distinct()
                                .allMatch(view::usable);
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

    private void begin(Standing standing, Window window, List<Member> members) {
        busy.add(standing.gang());
        writers.execute(() -> {
            try {
                send(standing, window, members);
            } finally {
                busy.remove(standing.gang());
            }
        });
    }

    private void send(Standing standing, Window window, List<Member> members) {
        Instant began = clock.instant();
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
        lead.released(Duration.between(began, clock.instant()));
        if (failures.isEmpty()) {
            LOG.infof("%s released: %s", standing.gang(), Verdicts.words(window));
        } else {
            sent.remove(standing.gang());
            LOG.warnf("%s released but for %d pods: %s", standing.gang(), failures.size(), failures.getFirst());
        }
    }
}
