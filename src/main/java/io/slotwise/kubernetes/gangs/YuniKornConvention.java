package io.slotwise.kubernetes.gangs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * YuniKorn: the pods of one application start together, with the minimum of each task group. The task groups are stated
 * on one of its pods or on all.
 *
 * <p>YuniKorn reserves room with placeholders for pods that do not exist yet. Here all of them must exist.
 *
 * <p>Source: apache/yunikorn-k8shim, pkg/common/constants and pkg/common/utils/utils.go (GetApplicationIDFromPod,
 * GetTaskGroupsFromAnnotation).
 */
final class YuniKornConvention implements Convention {
    private static final String TASK_GROUP = "yunikorn.apache.org/task-group-name";
    private static final String TASK_GROUPS = "yunikorn.apache.org/task-groups";
    private static final String APPLICATION = "yunikorn.apache.org/app-id";
    private static final List<String> APPLICATION_LABELS = List.of(APPLICATION, "applicationId", "spark-app-selector");
    private static final String SPARK_ROLE = "spark-role";
    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String taskGroup = AnnotationParsing.annotation(pod, TASK_GROUP);
        if (taskGroup == null && AnnotationParsing.annotation(pod, TASK_GROUPS) == null) {
            return null;
        }
        String application = AnnotationParsing.annotation(pod, APPLICATION);
        if (application != null) {
            return GangMembership.group(this, APPLICATION, application, null);
        }
        for (String key : APPLICATION_LABELS) {
            String labelled = AnnotationParsing.label(pod, key);
            if (labelled != null) {
                return GangMembership.group(this, key, labelled, null);
            }
        }
        return GangMembership.unclear(
                this,
                pod,
                "`%s` (%s) of %s needs the annotation `%s`: expected the application's name"
                        .formatted(
                                TASK_GROUP,
                                taskGroup == null ? "" : SafeText.value(taskGroup),
                                AnnotationParsing.name(pod),
                                APPLICATION));
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        String groups =
                AnnotationParsing.agreed(pods, TASK_GROUPS, pod -> AnnotationParsing.annotation(pod, TASK_GROUPS));
        if (groups == null) {
            return new GangSize.Unstated(membership.words());
        }
        Pod statingPod = pods.stream()
                .filter(pod -> AnnotationParsing.annotation(pod, TASK_GROUPS) != null)
                .findFirst()
                .orElseThrow();
        long sum = 0;
        Map<String, Integer> least = new HashMap<>();
        for (JsonNode taskGroup : list(groups, statingPod)) {
            JsonNode members = taskGroup.path("minMember");
            long count = AnnotationParsing.figure(
                    "minMember of " + TASK_GROUPS,
                    members.isMissingNode() ? "" : members.asText(),
                    statingPod,
                    GangSize.LARGEST);
            least.merge(taskGroup.path("name").asText(), (int) count, Integer::sum);
            sum += count;
        }
        if (sum < 1 || sum > GangSize.LARGEST) {
            throw invalid(groups, statingPod);
        }
        if (pods.size() < sum
                && pods.stream().allMatch(pod -> "driver".equals(AnnotationParsing.label(pod, SPARK_ROLE)))) {
            throw AnnotationParsing.waitsForItself(
                    TASK_GROUPS, statingPod, "the executors come only when the driver runs");
        }
        return new GangSize.Together(
                (int) sum, EndedPods.NONE, new RoleMinima(least, pod -> AnnotationParsing.annotation(pod, TASK_GROUP)));
    }

    private static JsonNode list(String groups, Pod pod) {
        try {
            JsonNode list = JSON.readTree(groups);
            if (list.isArray()) {
                return list;
            }
        } catch (JsonProcessingException e) {
            throw invalid(groups, pod);
        }
        throw invalid(groups, pod);
    }

    private static IllegalArgumentException invalid(String groups, Pod pod) {
        return new IllegalArgumentException(
                ("`%s` (%s) of %s is not valid: expected a JSON list of task groups with minMember, %d "
                                + "pods in all at most")
                        .formatted(TASK_GROUPS, SafeText.value(groups), AnnotationParsing.name(pod), GangSize.LARGEST));
    }
}
