package io.slotwise.kubernetes.manifest.nodes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.gangs.StatedTopology;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Volcano's HyperNodes as labels of the nodes that they have: {@code topology.volcano.sh/tier-N} for each tier N, and
 * {@code topology.volcano.sh/NAME} for each tier with a name. The value is the widest HyperNode up to that tier that
 * has the node.
 *
 * <p>Source: volcano-sh/apis, pkg/apis/topology/v1alpha1/hypernode_types.go; volcano-sh/volcano,
 * pkg/scheduler/api/hyper_node_info.go.
 */
public final class HyperNodes {
    public static final HyperNodes NONE = new HyperNodes(List.of());

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern NUMBERED = Pattern.compile(Pattern.quote(StatedTopology.NUMBERED_TIER) + "\\d{1,9}");

    private final List<GenericKubernetesResource> objects;
    private final List<HyperNode> all = new ArrayList<>();
    /** The HyperNodes that have another one as a member, by the name of that. */
    private final Map<String, List<HyperNode>> parents = new HashMap<>();

    private final List<IntakeWarning> notes = new ArrayList<>();
    /** The keys of the labels by tier: its number, and its name if that is of no narrower tier. */
    private final SortedMap<Integer, List<String>> keys;

    /** The members of one type. */
    private record Members(Set<String> names, List<Pattern> patterns, List<LabelSelector> selectors) {
        Members() {
            this(new HashSet<>(), new ArrayList<>(), new ArrayList<>());
        }

        boolean has(String name, Map<String, String> labels) {
            return names.contains(name)
                    || patterns.stream()
                            .anyMatch(pattern -> pattern.matcher(name).find())
                    || selectors.stream().anyMatch(selector -> LabelSelectors.match(selector, labels));
        }

        void add(Map<?, ?> selector) {
            if (selector.get("exactMatch") instanceof Map<?, ?> exact) {
                names.add(String.valueOf(exact.get("name")));
            } else if (selector.get("regexMatch") instanceof Map<?, ?> regex) {
                patterns.add(pattern(String.valueOf(regex.get("pattern"))));
            } else if (selector.get("labelMatch") instanceof Map<?, ?> labels) {
                selectors.add(MAPPER.convertValue(labels, LabelSelector.class));
            } else {
                throw invalid("spec.members[].selector", selector, "exactMatch, regexMatch or labelMatch");
            }
        }

        private static Pattern pattern(String text) {
            try {
                return Pattern.compile(text);
            } catch (PatternSyntaxException e) {
                throw invalid("spec.members[].selector.regexMatch.pattern", text, "a regular expression");
            }
        }
    }

    /** The name of an object and its spec, which is null if it has none. */
    record Spec(String name, @Nullable Object fields) {}

    private record HyperNode(
            String name, int tier, @Nullable String tierName, Members nodeMembers, Members childMembers) {}

    /**
     * The labels of a node.
     *
     * @param problem what is wrong with its HyperNodes, or null
     */
    record Membership(
            SortedMap<String, String> labels, @Nullable String problem) {}

    /** O(members + n²) for n objects. An object that cannot be read is left out with a note. */
    public HyperNodes(List<GenericKubernetesResource> objects) {
        this.objects = objects.stream()
                .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
                .toList();
        for (GenericKubernetesResource object : this.objects) {
            String name = object.getMetadata().getName();
            try {
                all.add(read(name, object));
            } catch (IllegalArgumentException e) {
                notes.add(new IntakeWarning(
                        IntakeWarning.Reason.INVALID_VALUE,
                        IntakeWarning.Subject.of("HyperNode", name),
                        "HyperNode %s: %s; it is left out".formatted(name, e.getMessage())));
            }
        }
        all.sort(Comparator.comparingInt(HyperNode::tier).thenComparing(HyperNode::name));
        for (HyperNode child : all) {
            parents.put(
                    child.name,
                    all.stream()
                            .filter(other -> other.childMembers.has(child.name, Map.of()))
                            .toList());
        }
        this.keys = keys(all);
    }

    private static HyperNode read(String name, GenericKubernetesResource object) {
        Object tier = object.get("spec", "tier");
        if (tier != null && !(tier instanceof Integer number && number >= 0)) {
            throw invalid("spec.tier", tier, "a whole number of at least 0");
        }
        Object tierName = object.get("spec", "tierName");
        HyperNode hyperNode = new HyperNode(
                name,
                tier == null ? 0 : (int) tier,
                tierName == null || tierName.toString().startsWith("tier-") ? null : tierName.toString(),
                new Members(),
                new Members());
        Object members = object.get("spec", "members");
        for (Object member : members instanceof List<?> items ? items : List.of()) {
            if (!(member instanceof Map<?, ?> fields) || !(fields.get("selector") instanceof Map<?, ?> selector)) {
                throw invalid("spec.members", member, "members with a type and a selector");
            }
            ("Node".equals(fields.get("type")) ? hyperNode.nodeMembers : hyperNode.childMembers).add(selector);
        }
        return hyperNode;
    }

    private static IllegalArgumentException invalid(String field, Object value, String expected) {
        return new IllegalArgumentException("`%s` (%s) is not valid: expected %s"
                .formatted(field, SafeText.value(String.valueOf(value)), expected));
    }

    /** Returns the names and specs of the objects. A status, which Volcano writes often, is not among them. */
    List<Spec> specs() {
        return objects.stream()
                .map(object -> new Spec(object.getMetadata().getName(), object.get("spec")))
                .toList();
    }

    boolean isEmpty() {
        return objects.isEmpty();
    }

    List<IntakeWarning> notes() {
        return List.copyOf(notes);
    }

    private static String numbered(int tier) {
        return StatedTopology.NUMBERED_TIER + tier;
    }

    private static SortedMap<Integer, List<String>> keys(List<HyperNode> all) {
        SortedMap<Integer, List<String>> keys = new TreeMap<>();
        Set<String> known =
                all.stream().map(hyperNode -> numbered(hyperNode.tier)).collect(Collectors.toSet());
        for (HyperNode hyperNode : all) {
            List<String> ofTier =
                    keys.computeIfAbsent(hyperNode.tier, tier -> new ArrayList<>(List.of(numbered(tier))));
            if (hyperNode.tierName != null
                    && ofTier.size() == 1
                    && known.add(StatedTopology.NAMED_TIER + hyperNode.tierName)) {
                ofTier.add(StatedTopology.NAMED_TIER + hyperNode.tierName);
            }
        }
        return keys;
    }

    /** Returns the keys of the labels from wide to narrow: those by number, and those by name. */
    List<List<String>> trees() {
        List<List<String>> wideFirst = List.copyOf(keys.values()).reversed();
        return Stream.of(0, 1)
                .map(place -> wideFirst.stream()
                        .filter(ofTier -> ofTier.size() > place)
                        .map(ofTier -> ofTier.get(place))
                        .toList())
                .filter(tree -> !tree.isEmpty())
                .toList();
    }

    /** Returns the labels of a node. O(n) for n HyperNodes, and their patterns and selectors. */
    Membership of(String node, Map<String, String> nodeLabels) {
        SortedSet<HyperNode> having =
                new TreeSet<>(Comparator.comparingInt(HyperNode::tier).thenComparing(HyperNode::name));
        all.stream()
                .filter(hyperNode -> hyperNode.nodeMembers.has(node, nodeLabels))
                .forEach(found -> climb(found, having));
        TreeMap<Integer, HyperNode> byTier = new TreeMap<>();
        String problem = null;
        for (HyperNode hyperNode : having) {
            HyperNode other = byTier.putIfAbsent(hyperNode.tier, hyperNode);
            if (other != null) {
                problem = "node %s is in HyperNodes %s and %s of tier %d: the first one counts"
                        .formatted(node, other.name, hyperNode.name, hyperNode.tier);
            }
        }
        SortedMap<String, String> labels = new TreeMap<>();
        keys.forEach((tier, ofTier) -> {
            Map.Entry<Integer, HyperNode> widestEntry = byTier.floorEntry(tier);
            if (widestEntry != null) {
                ofTier.forEach(key -> labels.put(key, widestEntry.getValue().name));
            }
        });
        return new Membership(labels, problem);
    }

    private void climb(HyperNode hyperNode, Set<HyperNode> having) {
        if (having.add(hyperNode)) {
            parents.getOrDefault(hyperNode.name, List.of()).forEach(parent -> climb(parent, having));
        }
    }

    /**
     * Returns the key of the level that a gang states by the number of a tier: the widest tier up to that, or the
     * narrowest one.
     *
     * @return null for any nodes: the number is above all tiers, or there are no HyperNodes
     */
    public static @Nullable String level(TopologyLevels levels, String key) {
        TreeSet<Integer> tiers = levels.trees().stream()
                .flatMap(List::stream)
                .filter(label -> NUMBERED.matcher(label).matches())
                .map(HyperNodes::tier)
                .collect(Collectors.toCollection(TreeSet::new));
        int tier = tier(key);
        if (tiers.isEmpty() || tier > tiers.last()) {
            return null;
        }
        Integer widest = tiers.floor(tier);
        return numbered(widest == null ? tiers.first() : widest);
    }

    private static int tier(String key) {
        return Integer.parseInt(key.substring(StatedTopology.NUMBERED_TIER.length()));
    }
}
