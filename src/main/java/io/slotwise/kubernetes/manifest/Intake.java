package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.KnownGangs;
import io.slotwise.kubernetes.manifest.nodes.ClusterLevels;
import io.slotwise.kubernetes.manifest.nodes.HyperNodes;
import io.slotwise.kubernetes.manifest.nodes.NodeReader;
import io.slotwise.kubernetes.manifest.nodes.OfferReader;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.PodRecreation;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.prices.PriceCalendars;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.manifest.queues.ClusterQueues;
import io.slotwise.live.port.ClusterView.Remade;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Makes the planner's snapshot from Kubernetes objects. Immutable and thread-safe.
 *
 * <p>Pods are sorted into gangs by the conventions that they follow; a pod that follows none is a gang of its own. A
 * gang that has not started becomes a request, or is held with a reason. A started gang, and every other bound pod,
 * occupies room. Budgets and ledgers determine what namespaces may spend, unless the host keeps ledgers itself. With p
 * pods and v nodes this takes O(p + v) plus the time to sort them.
 */
public final class Intake {
    private static final long DAY = 24 * 3600L;

    private final LoopSettings settings;
    private final PriceCatalogue prices;
    private final PodFilter filter;
    private final PriceCalendars calendars;

    public Intake(LoopSettings settings, PriceCatalogue prices) {
        this(settings, prices, PodFilter.CLUSTER);
    }

    public Intake(LoopSettings settings, PriceCatalogue prices, PodFilter filter) {
        this(settings, prices, filter, new PriceCalendars());
    }

    private Intake(LoopSettings settings, PriceCatalogue prices, PodFilter filter, PriceCalendars calendars) {
        this.settings = settings;
        this.prices = prices;
        this.filter = filter;
        this.calendars = calendars;
    }

    public Intake under(LoopSettings other) {
        return new Intake(other, prices, filter, calendars);
    }

    /** Returns whether a pod names Slotwise as its scheduler. */
    public boolean isOurs(Pod pod) {
        return filter.isOurs(pod.getSpec().getSchedulerName());
    }

    /** Returns whether Slotwise binds a pod itself. */
    public boolean goesDirect(Pod pod) {
        return filter.isDirect(pod);
    }

    /**
     * Returns whether pods with the name of this gang form no gang, so that each of them is planned individually.
     * O(pods).
     */
    public boolean isApart(GangId gang, List<Pod> pods, GroupObjects groups) {
        return !pods.isEmpty()
                && Pods.gangOf(pods.getFirst()).equals(gang)
                && AnnotatedGang.read(pods, groups, GangDefaults.of(settings)) instanceof AnnotatedGang.Reading.Apart;
    }

    /**
     * Returns how the pods of one gang come back after an eviction. Empty if some have no controller that recreates
     * them, or if their requests cannot be read.
     *
     * @param before the most times that all of them may have been evicted before
     */
    public static Optional<Remade> remade(List<Pod> pods, int before) {
        if (pods.isEmpty() || !pods.stream().allMatch(PodRecreation::isControlled)) {
            return Optional.empty();
        }
        try {
            QuantityAmounts amounts = new QuantityAmounts();
            Resources resources = Resources.most(pods.stream()
                    .map(pod -> PodResources.of(pod, amounts).amounts())
                    .toList());
            return Optional.of(new Remade(PodRecreation.stop(pods, before), resources));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static IntakeWarning unread(GroupKind kind) {
        return new IntakeWarning(
                IntakeWarning.Reason.NOT_READ,
                Subject.of(kind.kind(), kind.plural() + "." + kind.apiGroup()),
                ("%s.%s cannot be read: %s, and what was read before stays in use. Maybe repair or remove the "
                                + "conversion webhook or the API service of this kind")
                        .formatted(
                                kind.plural(),
                                kind.apiGroup(),
                                kind.consequence("gangs whose size they define wait, all others are planned")));
    }

    private static IntakeWarning unreadVolumes(Class<? extends HasMetadata> kind) {
        String plural = HasMetadata.getPlural(kind);
        return new IntakeWarning(
                IntakeWarning.Reason.NOT_READ,
                Subject.of("Volumes", plural),
                ("%s cannot be read: gangs with volume claims are planned as if every node reached their "
                                + "volumes. Maybe upgrade the chart, whose ClusterRole lists and watches them")
                        .formatted(plural));
    }

    private static IntakeWarning unreadDevices(Class<? extends HasMetadata> kind) {
        String plural = HasMetadata.getPlural(kind);
        return new IntakeWarning(
                IntakeWarning.Reason.NOT_READ,
                Subject.of("Devices", plural),
                ("%s.resource.k8s.io cannot be read: gangs with device claims are planned as if every "
                                + "node had their devices. Maybe upgrade the chart, whose ClusterRole lists and "
                                + "watches "
                                + "them, or the cluster, which has them from Kubernetes 1.34 on")
                        .formatted(plural));
    }

    /**
     * Takes the objects in.
     *
     * @param known what the host knows of gangs that have not ended; empty on the command line
     * @param now the first second in which a window may start, since the epoch
     */
    public IntakeResult take(ClusterObjects objects, Map<GangId, KnownGang> known, long now) {
        return take(objects, known, now, now);
    }

    /**
     * Takes the objects in as they were at {@code seen}, when it is decided which pods are past their expected end.
     * Windows start at {@code now} or later.
     *
     * @param seen seconds since the epoch, not after {@code now}
     */
    public IntakeResult take(ClusterObjects objects, Map<GangId, KnownGang> known, long now, long seen) {
        return take(objects, known, now, seen, new IntakeCache());
    }

    /**
     * Takes the objects in for a host that calls repeatedly. Nodes, and pods without an end, are read again only if
     * their objects have changed. O(p + v) comparisons, plus the cost above for what changed.
     *
     * @param cache the cache of earlier intakes with the same cluster, prices and candidates; used by one thread at a
     *     time
     */
    public IntakeResult take(
            ClusterObjects objects, Map<GangId, KnownGang> known, long now, long seen, IntakeCache cache) {
        if (filter.annotated() && objects.nodes().stream().anyMatch(OfferReader::isOffer)) {
            return takeWithOffers(objects, known, now, seen, cache);
        }
        return takePresent(objects, known, now, seen, cache);
    }

    private IntakeResult takePresent(
            ClusterObjects objects, Map<GangId, KnownGang> known, long now, long seen, IntakeCache cache) {
        QuantityAmounts amounts = new QuantityAmounts();
        Interval interval = span(now);
        ClusterLevels levels = ClusterLevels.of(settings.topology(), objects.groups());
        LoopSettings leveledSettings = settings.withTopology(levels.levels());
        cache.read(objects.nodes(), nodeReader(amounts, interval, levels.hyperNodes()));
        cache.retain(objects.pods());
        SortedMap<String, Grant> grants = NamespaceReader.grants(objects.namespaces());
        grants.putAll(objects.unreported());
        ClusterQueues queues = new ClusterQueues(objects.optional(), objects.namespaces(), interval);
        GangIntake gangs = new GangIntake(new IntakeInput(
                leveledSettings, filter, objects, new KnownGangs(known), grants, cache, amounts, queues, now, seen));
        gangs.take();
        List<IntakeWarning> warnings = new ArrayList<>(objects.warnings());
        if (filter.annotated() && objects.nodes().isEmpty()) {
            warnings.add(new IntakeWarning(
                    IntakeWarning.Reason.IGNORED,
                    Subject.of("Node", ""),
                    ("0 nodes and %s read: expected nodes to plan on, such as what `kubectl get nodes,pods -A "
                                    + "-o json` prints")
                            .formatted(
                                    objects.pods().size() == 1
                                            ? "1 pod"
                                            : objects.pods().size() + " pods")));
        }
        warnings.addAll(NamespaceReader.warnings(objects.namespaces()));
        warnings.addAll(queues.notes());
        warnings.addAll(levels.notes());
        warnings.addAll(cache.warnings());
        objects.groups().unread().stream().sorted().map(Intake::unread).forEach(warnings::add);
        Set<Class<?>> unread = objects.optional().unread();
        OptionalObjects.VOLUMES.stream()
                .filter(unread::contains)
                .map(Intake::unreadVolumes)
                .forEach(warnings::add);
        if (gangs.needs().devices().isAskedFor()) {
            OptionalObjects.DEVICES.stream()
                    .filter(unread::contains)
                    .map(Intake::unreadDevices)
                    .forEach(warnings::add);
        }
        IntakeResult result = gangs.taken(warnings);
        return filter.annotated()
                ? result.warning(new InputNotes(objects, result, settings)
                        .of(gangs.needs().missing(), gangs.findings().assumed()))
                : result;
    }

    /**
     * Returns the interval for which prices are read. No window ends after the horizon; twice the horizon leaves room
     * for promises of a longer one. Whole days keep nodes equal between intakes.
     */
    private Interval span(long now) {
        long from = Math.floorDiv(now, DAY) * DAY - DAY;
        return new Interval(from, (Math.floorDiv(now + 2 * settings.policy().horizon(), DAY) + 1) * DAY);
    }

    private NodeReader nodeReader(QuantityAmounts amounts, Interval interval, HyperNodes hyperNodes) {
        NodeReader.Prices nodePrices = new NodeReader.Prices(prices, calendars, settings.tariffs());
        return new NodeReader(nodePrices, filter, amounts, interval, hyperNodes);
    }

    /** Reads nodes that can be bought, which are in no HyperNode. */
    private OfferReader offerReader(long now) {
        return new OfferReader(nodeReader(new QuantityAmounts(), span(now), HyperNodes.NONE));
    }

    /** Nodes that can be bought, with warnings about unreadable ones. */
    public record Offered(List<NodeOffer> offers, List<IntakeWarning> warnings) {}

    /** Reads the nodes that can be bought, at second {@code now}. */
    public Offered offers(List<Node> templates, long now) {
        OfferReader reader = offerReader(now);
        List<NodeOffer> offers = reader.read(templates);
        return new Offered(offers, reader.warnings());
    }

    /**
     * Takes the objects in without the nodes that can be bought: no pod is on these, and no plan for the existing nodes
     * uses them.
     */
    private IntakeResult takeWithOffers(
            ClusterObjects objects, Map<GangId, KnownGang> known, long now, long seen, IntakeCache cache) {
        Map<Boolean, List<Node>> nodes =
                objects.nodes().stream().collect(Collectors.partitioningBy(OfferReader::isOffer));
        OfferReader reader = offerReader(now);
        List<NodeOffer> offers = reader.read(List.copyOf(nodes.get(true)));
        List<IntakeWarning> warnings = new ArrayList<>(objects.warnings());
        warnings.addAll(reader.warnings());
        if (!offers.isEmpty() && settings.policy().provisioning().mode() == Provisioning.Mode.NONE) {
            warnings.add(new IntakeWarning(
                    IntakeWarning.Reason.IGNORED,
                    Subject.of("Node", ""),
                    "%s ignored, because the policy's `buying.mode` is none: expected plan"
                            .formatted(offers.size() == 1 ? "1 offer is" : offers.size() + " offers are")));
        }
        return takePresent(
                        objects.withNodes(List.copyOf(nodes.get(false))).withWarnings(warnings),
                        known,
                        now,
                        seen,
                        cache)
                .offering(offers);
    }
}
