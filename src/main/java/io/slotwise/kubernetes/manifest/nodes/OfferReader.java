package io.slotwise.kubernetes.manifest.nodes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.slotwise.core.money.Money;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.Labels;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads nodes that can be bought: Nodes in files that the annotation {@code slotwise.io/offer} marks as not existing
 * yet. Their properties are read as of any node, and the costs of having them from annotations of their own. An offer
 * with a value that cannot be read is left out with a warning.
 */
public final class OfferReader {
    private static final String OFFER = AnnotationKeys.PREFIX + "offer";
    private static final String DELAY = OFFER + "-delay";
    private static final String LEAST = OFFER + "-least-billed";
    private static final String STEP = OFFER + "-billed-step";
    private static final String SHUTDOWN = OFFER + "-shutdown";
    private static final String SPEND = OFFER + "-spend";
    private static final String HAZARD = OFFER + "-hazard";
    /** Annotation of a Node that can be bought: key of the label that names its node group. */
    public static final String NODE_GROUP = OFFER + "-node-group";

    private static final Set<String> KNOWN = Set.of(OFFER, DELAY, LEAST, STEP, SHUTDOWN, SPEND, HAZARD, NODE_GROUP);
    private static final int MOST_NODES = 10_000;

    private final NodeReader nodes;
    private final List<IntakeWarning> warnings = new ArrayList<>();

    public OfferReader(NodeReader nodes) {
        this.nodes = nodes;
    }

    public static boolean isOffer(Node node) {
        return Annotations.of(node).containsKey(OFFER);
    }

    /** Returns the readable offers by name. The first of two with the same name counts. */
    public List<NodeOffer> read(List<Node> all) {
        List<NodeOffer> offers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Node node : all) {
            String name = node.getMetadata().getName();
            if (names.add(name)) {
                read(node, offers);
            } else {
                warn(name, "offer %s appears twice: expected unique names; the first one is used".formatted(name));
            }
        }
        offers.sort(Comparator.comparing(NodeOffer::name));
        return offers;
    }

    private void read(Node node, List<NodeOffer> offers) {
        String name = node.getMetadata().getName();
        Map<String, String> plain = new HashMap<>(node.getMetadata().getAnnotations());
        Map<String, String> own = new HashMap<>(plain);
        own.keySet().removeIf(key -> !key.startsWith(OFFER));
        plain.keySet().removeAll(own.keySet());
        AnnotationReader annotations = new AnnotationReader();
        annotations.add("offer " + name, Map.of(), own, Set.of(), KNOWN);
        int most = annotations.read(OFFER, 0, text -> AnnotationReader.number(text, MOST_NODES));
        Billing billing = new Billing(
                annotations.read(DELAY, 0L, OfferReader::duration),
                annotations.read(LEAST, 0L, OfferReader::duration),
                annotations.read(STEP, 1L, OfferReader::step),
                annotations.read(SHUTDOWN, 0L, OfferReader::duration));
        Money money = annotations.readOrNull(SPEND, Money::parse);
        long hazard = annotations.read(HAZARD, 0L, OfferReader::hazard);
        annotations.readOrNull(NODE_GROUP, key -> group(key, node));
        NodeReader.Reading reading = nodes.read(new NodeBuilder(node)
                .editMetadata()
                .withAnnotations(plain)
                .addToLabels(AnnotationKeys.BOUGHT, "true")
                .endMetadata()
                .build());
        warnings.addAll(reading.warnings());
        for (String problem : annotations.problems()) {
            warn(name, problem + "; this offer is not used until then");
        }
        if (annotations.problems().isEmpty()
                && !reading.node().unreadable().contains(io.slotwise.core.cluster.Node.ALL)) {
            offers.add(new NodeOffer(
                    reading.node(), billing, new PurchaseQuota(name, most, Resources.NONE, money), hazard));
        }
    }

    private static String group(String key, Node node) {
        if (!Labels.of(node).containsKey(key)) {
            throw new IllegalArgumentException("expected the key of the label that names the Node's group");
        }
        return key;
    }

    private static long duration(String text) {
        long seconds = Durations.parse(text);
        if (seconds > Billing.LONGEST) {
            throw new IllegalArgumentException("expected at most " + Durations.brief(Billing.LONGEST));
        }
        return seconds;
    }

    private static long step(String text) {
        long seconds = duration(text);
        if (seconds == 0) {
            throw new IllegalArgumentException("expected at least 1s");
        }
        return seconds;
    }

    /** Parses a hazard, millionths per hour. */
    private static long hazard(String text) {
        try {
            BigDecimal hazard = new BigDecimal(PlainDigits.of(text));
            if (hazard.signum() >= 0 && hazard.compareTo(BigDecimal.ONE) <= 0) {
                return hazard.movePointRight(6).longValue();
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a decimal number between 0 and 1", e);
        }
        throw new IllegalArgumentException("expected a decimal number between 0 and 1");
    }

    private void warn(String offer, String message) {
        warnings.add(new IntakeWarning(IntakeWarning.Reason.INVALID_VALUE, Subject.of("Node", offer), message));
    }

    public List<IntakeWarning> warnings() {
        return warnings;
    }
}
