package io.slotwise.kubernetes.gangs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.Shown;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Koordinator's gangs without an object: a name and the least number of pods, as annotations, or as the labels of lightweight
 * coscheduling. A bundle of several gangs ({@code /groups}) is refused: which pods belong to it does not follow from one pod.
 *
 * <p>Source: koordinator-sh/koordinator, apis/extension/coscheduling.go.
 */
final class Koordinator implements Convention {
    private static final String GANG = "gang.scheduling.koordinator.sh/name";
    private static final String SIZE = "gang.scheduling.koordinator.sh/min-available";
    private static final String BUNDLE = "gang.scheduling.koordinator.sh/groups";
    private static final String LIGHT_GANG = "pod-group.scheduling.sigs.k8s.io/name";
    private static final String LIGHT_SIZE = "pod-group.scheduling.sigs.k8s.io/min-available";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public @Nullable Claim claim(Pod pod) {
        String gang = Said.annotation(pod, GANG);
        if (gang != null) {
            return Claim.group(this, GANG, gang, null);
        }
        String light = Said.label(pod, LIGHT_GANG);
        return light == null ? null : Claim.group(this, LIGHT_GANG, light, null);
    }

    @Override
    public Extent extent(Claim claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        String bundle = Said.agreed(pods, BUNDLE, pod -> Said.annotation(pod, BUNDLE));
        if (bundle != null && gangs(bundle) != 1) {
            throw new IllegalArgumentException(
                    "`%s` (%s) of %s bundles gangs: expected one gang. Maybe give all their pods the label `%s`."
                            .formatted(BUNDLE, Shown.value(bundle), Said.name(pods.getFirst()), Conventions.OWN_LABEL));
        }
        OptionalLong size = Said.annotated(pods, SIZE, Extent.LARGEST);
        OptionalLong light = size.isPresent() ? size : Said.labelled(pods, LIGHT_SIZE, Extent.LARGEST);
        return light.isPresent() ? new Extent.Together((int) light.getAsLong()) : new Extent.Unstated(claim.words());
    }

    /** How many gangs a bundle names; 0 if it cannot be read. */
    private static int gangs(String bundle) {
        try {
            JsonNode list = JSON.readTree(bundle);
            return list.isArray() ? list.size() : 0;
        } catch (JsonProcessingException e) {
            return 0;
        }
    }
}
