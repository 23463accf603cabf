package io.slotwise.kubernetes.gangs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Koordinator's gangs without an object: a name and the minimum number of pods, in annotations, or in the labels of
 * lightweight coscheduling. A bundle of several gangs ({@code /groups}) is refused, because a single pod does not show
 * which pods belong to it.
 *
 * <p>Source: koordinator-sh/koordinator, apis/extension/coscheduling.go.
 */
final class KoordinatorConvention implements Convention {
    private static final String GANG = "gang.scheduling.koordinator.sh/name";
    private static final String SIZE = "gang.scheduling.koordinator.sh/min-available";
    private static final String BUNDLE = "gang.scheduling.koordinator.sh/groups";
    private static final String LIGHT_GANG = "pod-group.scheduling.sigs.k8s.io/name";
    private static final String LIGHT_SIZE = "pod-group.scheduling.sigs.k8s.io/min-available";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String gang = AnnotationParsing.annotation(pod, GANG);
        if (gang != null) {
            return GangMembership.group(this, GANG, gang, null);
        }
        String light = AnnotationParsing.label(pod, LIGHT_GANG);
        return light == null ? null : GangMembership.group(this, LIGHT_GANG, light, null);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        refuseBundles(pods, null);
        OptionalLong size = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        OptionalLong light = size.isPresent() ? size : AnnotationParsing.labelled(pods, LIGHT_SIZE, GangSize.LARGEST);
        return light.isPresent()
                ? new GangSize.Together((int) light.getAsLong())
                : new GangSize.Unstated(membership.words());
    }

    /**
     * Refuses a bundle of gangs that the pods or their PodGroup name.
     *
     * @param group the PodGroup, or null
     */
    static void refuseBundles(List<Pod> pods, @Nullable GenericKubernetesResource group) {
        String ofPods = AnnotationParsing.agreed(pods, BUNDLE, pod -> AnnotationParsing.annotation(pod, BUNDLE));
        String ofGroup = group == null ? null : AnnotationParsing.annotation(group, BUNDLE);
        String bundle = ofPods == null ? ofGroup : ofPods;
        HasMetadata naming = ofPods == null && group != null ? group : pods.getFirst();
        if (bundle != null && gangs(bundle) != 1) {
            throw new IllegalArgumentException(
                    "`%s` (%s) of %s bundles gangs: expected one gang. Maybe give all their pods the label `%s`."
                            .formatted(
                                    BUNDLE,
                                    SafeText.value(bundle),
                                    AnnotationParsing.name(naming),
                                    Conventions.OWN_LABEL));
        }
    }

    /** Returns the number of gangs in a bundle; 0 if it cannot be read. */
    private static int gangs(String bundle) {
        try {
            JsonNode list = JSON.readTree(bundle);
            return list.isArray() ? list.size() : 0;
        } catch (JsonProcessingException e) {
            return 0;
        }
    }
}
