package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.GangProgress;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.neighbours.DisruptionBudgets;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.PodRecreation;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.MigrationHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The running gangs that may be stopped, because a controller recreates every pod. Gangs that keep their work, by their
 * owner's word, may be moved; a higher priority may displace any, and another queue those
 * that may be preempted. Used for one intake.
 *
 * <p>In a cluster a gang runs in its promised window. Files know no promises: there a gang counts as if its nodes had
 * been promised at their prices from the start of its last pod.
 */
final class StoppableGangs {
    private final IntakeInput input;
    private final PromisedPrices prices;
    private final DisruptionBudgets budgets;
    private final List<Running> found = new ArrayList<>();

    /**
     * A gang of which a member runs.
     *
     * @param gang all of its pods, including those that wait to join it or do not exist yet
     * @param run the pods that it has started with; if none of them is left, their replacements
     * @param starts what is known of the starts of these pods
     * @param room the occupations of its running pods
     */
    record Started(
            GangMembers gang, AnnotatedGang annotated, List<Pod> run, List<KnownGang> starts, List<Occupation> room) {
        GangId id() {
            return gang.id();
        }
    }

    StoppableGangs(IntakeInput input) {
        this.input = input;
        this.prices = new PromisedPrices(input.cache().nodes(), input.settings().policy());
        this.budgets = new DisruptionBudgets(input.objects().budgets());
    }

    List<Running> found() {
        return found.stream()
                .sorted(Comparator.comparing(running -> running.gang().id()))
                .toList();
    }

    /**
     * Returns whether the policy, the gang's owner and its pods allow stopping it. Pods that wait to replace lost
     * members, or do not exist yet, are planned again with the running pods.
     *
     * @param gang all of its pods
     * @param highest the highest priority of the waiting gangs
     */
    boolean mayStop(GangMembers gang, AnnotatedGang annotated, int highest) {
        return input.settings()
                        .policy()
                        .stops(input.inQueue(gang.id(), annotated), Pods.priority(gang.bound()), highest)
                && (annotated.done(gang.finished()) == 0
                        || annotated.demand().topology().slices().isEmpty())
                && gang.bound().size() + gang.waiting().size() + annotated.done(gang.finished()) == annotated.size()
                && gang.all().stream().allMatch(pod -> PodRecreation.isControlled(pod) && isOurs(pod));
    }

    /**
     * Returns whether Slotwise schedules a pod. In files, annotations alone make pods a gang, whichever scheduler binds
     * them.
     */
    private boolean isOurs(Pod pod) {
        String scheduler = pod.getSpec().getSchedulerName();
        return input.filter().isOurs(scheduler) || input.filter().isTried(scheduler);
    }

    /**
     * Returns the resource domains that a moved gang must not leave until it restarts: under local migration those of
     * its new window, while that is promised. Null if it may go anywhere.
     */
    @Nullable
    Home home(KnownGang known) {
        Promise promise = known.promise();
        if (known.history() == null
                || known.startedAt().isPresent()
                || promise == null
                || input.settings().policy().migration().reach() != Reach.LOCAL) {
            return null;
        }
        return Home.of(
                input.settings().policy().online().domainKey(),
                promise.window().placements().stream()
                        .flatMap(placement -> Stream.ofNullable(input.nodes().get(placement.node()))));
    }

    void add(Gang gang, Started started) {
        KnownGang known = input.known(started.id());
        MigrationHistory history = known.history();
        List<Pod> pods = started.gang().bound();
        List<Pod> podsOnNodes =
                started.run().stream().filter(pod -> Pods.node(pod) != null).toList();
        GangProgress progress = podsOnNodes.isEmpty()
                ? null
                : run(gang, podsOnNodes, started.starts(), history == null ? 0 : history.overhead());
        if (progress != null) {
            EvictionTiming timing = PodRecreation.stop(pods, known.evictions());
            List<Long> moves = history == null ? List.of() : history.moves();
            boolean keepsWork = started.annotated().migratable();
            long lost = history == null ? 0 : history.lost();
            found.add(new Running(gang, progress, started.room(), timing, moves, keepsWork, budgets.over(pods), lost));
        }
    }

    private @Nullable GangProgress run(Gang gang, List<Pod> pods, List<KnownGang> starts, long overhead) {
        List<Window> windows = starts.stream()
                .filter(known -> known.startedAt().isPresent())
                .flatMap(known -> Stream.ofNullable(known.promise()))
                .map(Promise::window)
                .toList();
        if (windows.size() == starts.size()) {
            Window window = joint(gang, windows);
            if (sit(pods, window)) {
                long startedAt = starts.stream()
                        .mapToLong(known -> known.startedAt().orElse(input.seen()))
                        .max()
                        .orElse(input.seen());
                return new GangProgress(
                        taken(window, pods),
                        tariff(starts),
                        startedAt,
                        Math.max(0, input.seen() - startedAt),
                        overhead);
            }
        }
        boolean allUnknown = starts.stream().allMatch(known -> known.promise() == null);
        return allUnknown && input.filter().annotated() ? asSeen(gang, pods) : null;
    }

    private static Window joint(Gang gang, List<Window> windows) {
        return windows.size() == 1
                ? windows.getFirst()
                : Window.of(
                        gang.id(),
                        windows.stream().mapToLong(Window::start).max().orElse(0),
                        windows.stream()
                                .flatMap(window -> window.placements().stream())
                                .toList());
    }

    private static PromiseTariff tariff(List<KnownGang> starts) {
        TreeMap<PromiseTariff.Place, StepFunction> rates = new TreeMap<>();
        starts.forEach(known -> rates.putAll(known.tariff().rates()));
        return new PromiseTariff(rates);
    }

    private static boolean sit(List<Pod> pods, Window window) {
        Map<String, Placement> placements = new HashMap<>();
        window.placements().forEach(placement -> placements.put(placement.pod(), placement));
        return pods.stream().allMatch(pod -> {
            Placement placement = placements.get(pod.getMetadata().getName());
            return placement != null && placement.node().equals(Pods.node(pod));
        });
    }

    private static Window taken(Window window, List<Pod> pods) {
        Set<String> names =
                pods.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
        return names.size() == window.placements().size()
                ? window
                : Window.of(
                        window.gang(),
                        window.start(),
                        window.placements().stream()
                                .filter(placement -> names.contains(placement.pod()))
                                .toList());
    }

    private @Nullable GangProgress asSeen(Gang gang, List<Pod> pods) {
        if (pods.stream().anyMatch(pod -> !input.nodes().containsKey(node(pod)))) {
            return null;
        }
        long start = pods.stream()
                .mapToLong(pod -> Pods.start(pod, input.seen()))
                .max()
                .orElse(input.seen());
        Map<String, String> places = new HashMap<>();
        pods.forEach(pod -> places.put(pod.getMetadata().getName(), node(pod)));
        long longest = places.keySet().stream()
                .mapToLong(pod -> duration(gang, pod, places))
                .max()
                .orElse(0);
        Window window = Window.of(
                gang.id(),
                start,
                gang.pods().stream()
                        .filter(places::containsKey)
                        .map(pod -> placement(
                                gang,
                                pod,
                                places,
                                start,
                                start + (gang.lockstep() ? longest : duration(gang, pod, places))))
                        .toList());
        PromiseTariff tariff = PromiseTariff.of(window, placement -> rate(gang, placement.pod(), placement.node()));
        return new GangProgress(window, tariff, start, input.seen() - start, 0);
    }

    private long duration(Gang gang, String pod, Map<String, String> places) {
        PodRequest request = gang.requestOf(pod);
        return request.durationOn(Objects.requireNonNull(input.nodes().get(String.valueOf(places.get(pod))))
                .performance());
    }

    private Placement placement(Gang gang, String pod, Map<String, String> places, long start, long end) {
        String node = String.valueOf(places.get(pod));
        return new Placement(pod, node, start, end, Cost.of(rate(gang, pod, node), start, end));
    }

    private StepFunction rate(Gang gang, String pod, String node) {
        return prices.rate(node, gang.requestOf(pod).resources());
    }

    private static String node(Pod pod) {
        return String.valueOf(Pods.node(pod));
    }
}
