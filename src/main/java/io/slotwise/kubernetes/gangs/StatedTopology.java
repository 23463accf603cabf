package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nearness of the pods of a gang, as Kueue, KAI or Kubernetes state it. Each level is named by the key of a
 * node label. Kueue's annotations of the pods come first, then KAI's of the pods or their owners. Then come a PodGroup
 * of Kubernetes or Volcano, and the exclusive topology of a LeaderWorkerSet or of the only Job of a JobSet.
 *
 * <p>Kueue states a level for each of its pod sets, and the gang is kept together as a whole.
 *
 * <p>Source: kubernetes-sigs/kueue, keps/2724-topology-aware-scheduling; kai-scheduler/KAI-Scheduler,
 * docs/topology/README.md; Kubernetes 1.37, staging/src/k8s.io/api/scheduling/v1beta1/types.go; volcano-sh/volcano,
 * docs/design/Network Topology Aware Scheduling.md.
 *
 * @param requiredLevel the level in one of whose domains all pods are, or null
 * @param preferredLevel the level from which on wider ones are tried, or null
 * @param slicesLevel the levels in one domain of which each part is, as {@code rack/16, host/4}, or null
 */
public record StatedTopology(
        @Nullable Level requiredLevel,
        @Nullable Level preferredLevel,
        @Nullable Level slicesLevel) {
    private static final StatedTopology NONE = new StatedTopology(null, null, null);
    private static final String KUEUE = "kueue.x-k8s.io/podset-";
    private static final String KAI = "kai.scheduler/topology-";
    private static final String TIER = "highestTierAllowed";
    private static final String TIER_NAME = "highestTierName";
    private static final int MOST_TIER = 999_999_999;
    /** The number of the narrowest tier, whatever it is. */
    private static final int NARROWEST = 0;

    /** The beginning of the level of a tier with this number. */
    public static final String NUMBERED_TIER = "topology.volcano.sh/tier-";
    /** The beginning of the level of a tier with this name. */
    public static final String NAMED_TIER = "topology.volcano.sh/";

    /**
     * A level.
     *
     * @param field the annotation or field that states it
     * @param key of a node label
     * @param isTier whether the key ends with the number of a tier of Volcano, which may be above all tiers
     */
    public record Level(String field, String key, boolean isTier) {
        Level(String field, String key) {
            this(field, key, false);
        }
    }

    /** Returns the stated levels. */
    public Stream<Level> levels() {
        return Stream.of(requiredLevel, preferredLevel, slicesLevel).flatMap(Stream::ofNullable);
    }

    /**
     * Returns what a gang states. O(pods).
     *
     * @param named the objects that name the gang, in order of precedence
     * @throws IllegalArgumentException if that cannot be read; the message is a sentence
     */
    static StatedTopology of(List<Pod> pods, List<GenericKubernetesResource> named, GroupObjects objects) {
        Level requiredLevel = ofPods(pods, KUEUE + "required-topology");
        Level preferredLevel = ofPods(pods, KUEUE + "preferred-topology");
        Level freeLevel = ofPods(pods, KUEUE + "unconstrained-topology");
        boolean isFree = freeLevel != null && freeLevel.key().equals("true");
        Level slicesLevel = KueueSlices.of(pods, objects);
        if (requiredLevel != null || preferredLevel != null || isFree || slicesLevel != null) {
            pods.forEach(StatedTopology::checkAlone);
            return new StatedTopology(requiredLevel, requiredLevel == null ? preferredLevel : null, slicesLevel);
        }
        StatedTopology kaiTopology = new StatedTopology(
                ofOwners(pods, KAI + "required-placement", objects),
                ofOwners(pods, KAI + "preferred-placement", objects),
                null);
        if (!kaiTopology.equals(NONE)) {
            return kaiTopology;
        }
        StatedTopology groupTopology = ofGroup(named);
        return groupTopology.equals(NONE) ? new StatedTopology(exclusive(pods), null, null) : groupTopology;
    }

    /** Returns the level of which a group of a LeaderWorkerSet, or a Job of a JobSet, has a domain of its own. */
    private static @Nullable Level exclusive(List<Pod> pods) {
        Level groupLevel = ofPods(pods, LeaderWorkerSetConvention.EXCLUSIVE);
        boolean isOneJob = pods.stream().map(Owners::of).distinct().count() == 1;
        return groupLevel != null || !isOneJob ? groupLevel : ofPods(pods, JobSetWaves.EXCLUSIVE);
    }

    /** Refuses more than one of Kueue's annotations on a pod, as Kueue does. Pod sets may state different ones. */
    private static void checkAlone(Pod pod) {
        List<Level> stated = Stream.of("required-topology", "preferred-topology", "unconstrained-topology")
                .map(KUEUE::concat)
                .flatMap(field -> Stream.ofNullable(AnnotationParsing.annotation(pod, field))
                        .filter(key -> !field.endsWith("unconstrained-topology") || key.equals("true"))
                        .map(key -> new Level(field, key)))
                .toList();
        if (stated.size() > 1) {
            throw new IllegalArgumentException("`%s` (%s) of %s cannot be combined with `%s` (%s): expected one of them"
                    .formatted(
                            stated.get(0).field(),
                            SafeText.value(stated.get(0).key()),
                            AnnotationParsing.name(pod),
                            stated.get(1).field(),
                            SafeText.value(stated.get(1).key())));
        }
    }

    static @Nullable Level ofPods(List<Pod> pods, String field) {
        String key = AnnotationParsing.agreed(pods, field, pod -> AnnotationParsing.annotation(pod, field));
        return key == null ? null : new Level(field, key);
    }

    /** Returns the level on the pods, else on the first pod's nearest owner with one. */
    private static @Nullable Level ofOwners(List<Pod> pods, String field, GroupObjects objects) {
        Level podLevel = ofPods(pods, field);
        return podLevel != null
                ? podLevel
                : Owners.found(Owners.above(pods.getFirst(), objects), objects)
                        .flatMap(owner -> Stream.ofNullable(AnnotationParsing.annotation(owner, field)))
                        .findFirst()
                        .map(key -> new Level(field, key))
                        .orElse(null);
    }

    private static StatedTopology ofGroup(List<GenericKubernetesResource> named) {
        return named.stream()
                .map(group -> switch (GroupKind.of(group)) {
                    case POD_GROUP -> ofKubernetes(group);
                    case VOLCANO -> ofVolcano(group);
                    case null, default -> NONE;
                })
                .filter(topology -> !topology.equals(NONE))
                .findFirst()
                .orElse(NONE);
    }

    private static StatedTopology ofKubernetes(GenericKubernetesResource group) {
        List<ObjectPart> levels =
                ObjectPart.spec(group).at("schedulingConstraints").items("topology");
        if (levels.size() > 1) {
            throw new IllegalArgumentException("`spec.schedulingConstraints.topology` of %s has %d items: expected one"
                    .formatted(AnnotationParsing.name(group), levels.size()));
        }
        return levels.isEmpty()
                ? NONE
                : new StatedTopology(
                        new Level(
                                "spec.schedulingConstraints.topology",
                                Objects.toString(levels.getFirst().get("key"), "")),
                        null,
                        null);
    }

    /** Returns the highest tier as the required level, or in soft mode the narrowest tier as the preferred one. */
    private static StatedTopology ofVolcano(GenericKubernetesResource group) {
        ObjectPart topologyPart = ObjectPart.spec(group).at("networkTopology");
        Object tier = topologyPart.get(TIER);
        Object name = topologyPart.get(TIER_NAME);
        if (tier != null && name != null) {
            throw new IllegalArgumentException("`%s` (%s) of %s cannot be combined with `%s` (%s): expected one of them"
                    .formatted(
                            TIER,
                            SafeText.value(String.valueOf(tier)),
                            AnnotationParsing.name(group),
                            TIER_NAME,
                            SafeText.value(String.valueOf(name))));
        }
        if ("soft".equals(topologyPart.get("mode"))) {
            return new StatedTopology(
                    null, new Level("spec.networkTopology.mode", NUMBERED_TIER + NARROWEST, true), null);
        }
        return tier == null && name == null ? NONE : new StatedTopology(highest(group, tier, name), null, null);
    }

    private static Level highest(GenericKubernetesResource group, @Nullable Object tier, @Nullable Object name) {
        return tier == null
                ? new Level("spec.networkTopology." + TIER_NAME, NAMED_TIER + name)
                : new Level(
                        "spec.networkTopology." + TIER,
                        NUMBERED_TIER + AnnotationParsing.figure(TIER, tier, group, 0, MOST_TIER),
                        true);
    }
}
