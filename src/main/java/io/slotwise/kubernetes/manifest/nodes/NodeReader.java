package io.slotwise.kubernetes.manifest.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.money.Money;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.field.PerformanceText;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import io.slotwise.kubernetes.manifest.prices.PriceCalendars;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.NodeTariff;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes. A node with a value that cannot be read is not planned on, and a warning is added; its labels and its
 * pods stay known. If only an amount cannot be read, the node has none of that resource. Used for one intake.
 */
public final class NodeReader {
    private static final BigDecimal MOST_BANDWIDTH = BigDecimal.valueOf(1_000_000_000_000_000_000L);
    private static final BigDecimal MOST_WATTS = BigDecimal.valueOf(1_000_000);
    private static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_SCHEDULE);
    /** The number of pods that a kubelet admits by default. */
    private static final long USUAL_PODS = 110;

    private static final int LONGEST_OWNER = 253;

    private final Prices prices;
    private final PodFilter filter;
    private final QuantityAmounts amounts;
    private final Interval interval;
    private final HyperNodes hyperNodes;
    /** The warnings about the node that is being read. */
    private List<IntakeWarning> warnings = new ArrayList<>();

    /** A node as the planner sees it, with warnings. */
    public record Reading(io.slotwise.core.cluster.Node node, List<IntakeWarning> warnings) {}

    /** The sources of node prices. Tariffs apply to nodes without a price calendar. */
    public record Prices(PriceCatalogue catalogue, PriceCalendars calendars, List<NodeTariff> tariffs) {}

    /**
     * The part of a reading's input that all nodes share. If it changes, all nodes are read again.
     *
     * @param interval the seconds for which prices are read, since the epoch
     * @param hyperNodes the names and specs of the HyperNodes
     */
    public record Basis(Interval interval, List<NodeTariff> tariffs, List<HyperNodes.Spec> hyperNodes) {}

    /**
     * @param interval the seconds for which prices are read, since the epoch
     */
    public NodeReader(
            Prices prices, PodFilter filter, QuantityAmounts amounts, Interval interval, HyperNodes hyperNodes) {
        this.prices = prices;
        this.filter = filter;
        this.amounts = amounts;
        this.interval = interval;
        this.hyperNodes = hyperNodes;
    }

    public Reading read(Node node) {
        warnings = new ArrayList<>();
        return new Reading(planned(node), List.copyOf(warnings));
    }

    /** Returns a node that an unexpected error made unreadable. Nothing is planned on it. */
    public static Reading failed(Node node, Throwable error) {
        InternalFailure failure = InternalFailure.of(error);
        String name = node.getMetadata().getName();
        return new Reading(
                new io.slotwise.core.cluster.Node(
                        name,
                        Map.of(),
                        List.of(),
                        false,
                        Resources.NONE,
                        Performance.REFERENCE,
                        "default",
                        StepFunction.constant(0),
                        List.of(),
                        io.slotwise.core.cluster.Node.UNKNOWN,
                        io.slotwise.core.cluster.Node.UNKNOWN,
                        Set.of(io.slotwise.core.cluster.Node.ALL)),
                List.of(new IntakeWarning(
                        IntakeWarning.Reason.INTERNAL_ERROR,
                        Subject.of("Node", name),
                        "node %s cannot be read because of %s; nothing is planned on this node until then"
                                .formatted(name, failure),
                        failure)));
    }

    private io.slotwise.core.cluster.Node planned(Node node) {
        String name = node.getMetadata().getName();
        Map<String, String> labels = labels(node);
        AnnotationReader annotations = new AnnotationReader();
        annotations.add(
                "node " + name,
                labels,
                node.getMetadata().getAnnotations(),
                AnnotationKeys.NODE_LABELS,
                AnnotationKeys.NODE_ANNOTATIONS);
        annotations.problems().forEach(problem -> warn(IntakeWarning.Reason.IGNORED, name, problem));
        annotations.flaws().clear();

        PriceCatalogue.Offer offer = prices.catalogue().offer(labels);
        StepFunction price = price(annotations, name, labels, offer);
        Performance performance = annotations.read(
                AnnotationKeys.PERFORMANCE,
                offer.performance() == null ? Performance.REFERENCE : offer.performance(),
                PerformanceText::parse);
        String owner = annotations.read(AnnotationKeys.OWNER, "default", NodeReader::owner);
        Long power = annotations.readOrNull(AnnotationKeys.WATTS, NodeReader::watts);
        Long bandwidth = annotations.readOrNull(AnnotationKeys.DOMAIN_BANDWIDTH, NodeReader::bandwidth);
        var unavailable = annotations.read(AnnotationKeys.UNAVAILABLE, List.<Interval>of(), Intervals::parseList);
        Set<String> unread = new HashSet<>();
        Resources allocatable = allocatable(annotations, node, unread);
        List<Taint> taints = taints(annotations, node);

        boolean readable = annotations.flaws().isEmpty();
        if (!readable) {
            for (String problem : annotations.problems()) {
                warn(
                        IntakeWarning.Reason.INVALID_VALUE,
                        name,
                        problem + "; nothing is planned on this node until then");
            }
            unread.add(io.slotwise.core.cluster.Node.ALL);
        }
        return new io.slotwise.core.cluster.Node(
                name,
                labels,
                taints,
                readable && isReady(node) && !isCordoned(node),
                // A pod may tolerate a cordon, but a node of unknown price or size must not be planned on at all.
                readable ? allocatable : Resources.NONE,
                performance,
                owner,
                price,
                unavailable,
                power == null ? io.slotwise.core.cluster.Node.UNKNOWN : power,
                bandwidth == null ? io.slotwise.core.cluster.Node.UNKNOWN : bandwidth,
                unread);
    }

    private StepFunction price(
            AnnotationReader annotations, String name, Map<String, String> labels, PriceCatalogue.Offer offer) {
        Money listedMoney = offer.price();
        Money plainMoney = annotations.read(
                AnnotationKeys.PRICE, listedMoney == null ? Money.ZERO : listedMoney, PriceCalendar::price);
        StepFunction price = annotations.readOrNull(
                AnnotationKeys.PRICE_CALENDAR, text -> prices.calendars().over(text, plainMoney.micros(), interval));
        if (annotations.text(AnnotationKeys.PRICE_CALENDAR) == null) {
            price = byTariff(annotations, name, labels, plainMoney);
        }
        if (annotations.text(AnnotationKeys.PRICE) == null && listedMoney == null) {
            warn(
                    IntakeWarning.Reason.PRICE_MISSING,
                    name,
                    ("node %s has no price: expected the label `%s` or an entry in the price catalogue; it is "
                                    + "free of charge%s")
                            .formatted(name, AnnotationKeys.PRICE, price == null ? "" : " outside its price calendar"));
        }
        return price == null ? StepFunction.constant(plainMoney.micros()) : price;
    }

    /** Returns the price by the first tariff that selects the node, or null if none does. */
    private @Nullable StepFunction byTariff(
            AnnotationReader annotations, String name, Map<String, String> labels, Money money) {
        for (int i = 0; i < prices.tariffs().size(); i++) {
            NodeTariff tariff = prices.tariffs().get(i);
            if (tariff.selects(labels)) {
                try {
                    return prices.calendars().over(tariff.calendar(), money.micros(), interval);
                } catch (IllegalArgumentException e) {
                    annotations.problem("`money.tariffs[%d].calendar` of the policy for node %s: %s"
                            .formatted(i, name, e.getMessage()));
                }
                return null;
            }
        }
        return null;
    }

    public Basis basis() {
        return new Basis(interval, prices.tariffs(), hyperNodes.specs());
    }

    private Map<String, String> labels(Node node) {
        Map<String, String> labels = Labels.of(node);
        if (hyperNodes.isEmpty()) {
            return labels;
        }
        HyperNodes.Membership membership = hyperNodes.of(node.getMetadata().getName(), labels);
        if (membership.problem() != null) {
            warn(IntakeWarning.Reason.IGNORED, node.getMetadata().getName(), membership.problem());
        }
        Map<String, String> all = new HashMap<>(labels);
        all.putAll(membership.labels());
        return all;
    }

    private Resources allocatable(AnnotationReader annotations, Node node, Set<String> unread) {
        String name = node.getMetadata().getName();
        NodeStatus status = node.getStatus();
        if (status == null) {
            annotations.problem("node %s has no status.allocatable: expected what pods may use".formatted(name));
            return Resources.NONE;
        }
        Map<String, Quantity> allocatable = status.getAllocatable();
        Map<String, Quantity> given = allocatable == null || allocatable.isEmpty() ? status.getCapacity() : allocatable;
        Resources resources = amounts.offered(given, (resource, problem) -> {
            unread.add(resource);
            warn(
                    IntakeWarning.Reason.INVALID_VALUE,
                    name,
                    ("`status.allocatable` of node %s: %s; nothing that asks for it is planned on this node "
                                    + "until then")
                            .formatted(name, problem));
        });
        return filter.annotated() && (given == null || !given.containsKey(Resources.PODS))
                ? withUsualPods(name, resources)
                : resources;
    }

    private Resources withUsualPods(String name, Resources resources) {
        warn(
                IntakeWarning.Reason.ASSUMED,
                name,
                "node %s does not state how many pods it takes (status.allocatable.pods): %d are assumed"
                        .formatted(name, USUAL_PODS));
        return resources.with(Resources.PODS, USUAL_PODS);
    }

    private static List<Taint> taints(AnnotationReader annotations, Node node) {
        List<Taint> taints = new ArrayList<>();
        if (node.getSpec() != null) {
            for (io.fabric8.kubernetes.api.model.Taint taint : node.getSpec().getTaints()) {
                try {
                    String value = taint.getValue() == null ? "" : taint.getValue();
                    taints.add(new Taint(taint.getKey(), value, PodConstraints.effect(taint.getEffect())));
                } catch (IllegalArgumentException e) {
                    annotations.problem("the taint `%s` of node %s: %s"
                            .formatted(taint.getKey(), node.getMetadata().getName(), e.getMessage()));
                }
            }
        }
        if (!isReady(node) && !taints.contains(NOT_READY)) {
            taints.add(NOT_READY);
        }
        return taints;
    }

    /**
     * Returns whether a node is ready. One that reports no readiness at all was written by hand and counts as ready.
     */
    private static boolean isReady(Node node) {
        if (node.getStatus() == null) {
            return true;
        }
        for (NodeCondition condition : node.getStatus().getConditions()) {
            if ("Ready".equals(condition.getType())) {
                return "True".equals(condition.getStatus());
            }
        }
        return true;
    }

    private static boolean isCordoned(Node node) {
        return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    }

    private static String owner(String text) {
        if (!text.isEmpty() && !SafeText.isPlain(text, LONGEST_OWNER)) {
            throw new IllegalArgumentException(
                    "expected a name of at most %d visible characters".formatted(LONGEST_OWNER));
        }
        return text.isEmpty() ? "default" : text;
    }

    /** Parses watts, as milliwatts. */
    private static Long watts(String text) {
        try {
            BigDecimal watts = new BigDecimal(PlainDigits.of(text));
            if (watts.signum() > 0 && watts.compareTo(MOST_WATTS) <= 0) {
                return watts.movePointRight(3).longValue();
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected watts, a decimal number such as 350", e);
        }
        throw new IllegalArgumentException("expected more than 0 and at most 1000000 watts");
    }

    /** Parses a bandwidth, bit/s. */
    private static Long bandwidth(String text) {
        try {
            BigDecimal bits = QuantityAmounts.exact(new Quantity(text));
            if (bits.compareTo(BigDecimal.ONE) >= 0 && bits.compareTo(MOST_BANDWIDTH) <= 0) {
                return bits.longValue();
            }
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("expected bit/s such as 10G", e);
        }
        throw new IllegalArgumentException("expected between 1 and 1E bit/s");
    }

    private void warn(IntakeWarning.Reason reason, String node, String message) {
        warnings.add(new IntakeWarning(reason, Subject.of("Node", node), message));
    }
}
