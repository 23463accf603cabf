package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the objects that a controller creates for one object. Lives for one expansion. */
final class WorkloadExpansion {
    private final WrittenObject object;
    private final List<Pod> pods = new ArrayList<>();
    private final List<ObjectNode> groups = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final Set<String> late = new HashSet<>();
    private boolean isLate;
    private boolean suspended;

    WorkloadExpansion(WrittenObject object) {
        this.object = object;
    }

    Expansion made() {
        return new Expansion(pods, late, groups, suspended, remarks);
    }

    static OwnerReference controller(String apiVersion, String kind, String name) {
        return new OwnerReferenceBuilder()
                .withApiVersion(apiVersion)
                .withKind(kind)
                .withName(name)
                .withController(true)
                .build();
    }

    OwnerReference owner() {
        return controller(object.apiVersion(), object.kind(), object.name());
    }

    /** Adds a pod, with these labels and annotations in addition to the template's. */
    void pod(
            String name,
            PodTemplateSpec template,
            OwnerReference owner,
            Map<String, String> labels,
            Map<String, String> annotations) {
        if (pods.size() == ObjectFields.MOST) {
            throw tooMany();
        }
        Steps.add(Steps.Kind.EXPANSION, 1);
        ObjectMeta given = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        ObjectMeta metadata = new ObjectMeta();
        metadata.setName(name);
        metadata.setNamespace(object.namespace());
        metadata.setCreationTimestamp(object.metadata().getCreationTimestamp());
        metadata.setLabels(both(given.getLabels(), labels));
        metadata.setAnnotations(both(given.getAnnotations(), annotations));
        metadata.setOwnerReferences(List.of(owner));
        Pod pod = new Pod();
        pod.setMetadata(metadata);
        pod.setSpec(template.getSpec());
        pods.add(pod);
        if (isLate) {
            late.add(name);
        }
    }

    /** Sets whether the pods added from now on are created only when others are ready. */
    void late(boolean areLate) {
        isLate = areLate;
    }

    /** Returns labels or annotations with others, which count where both have a key. */
    static Map<String, String> both(@Nullable Map<String, String> given, @Nullable Map<String, String> others) {
        Map<String, String> all = new HashMap<>();
        if (given != null) {
            all.putAll(given);
        }
        if (others != null) {
            all.putAll(others);
        }
        return all;
    }

    /**
     * Adds an object created by the controller that states a gang's size or time limit, with the labels and annotations
     * of the owner.
     */
    void group(String apiVersion, String kind, String name, ObjectNode spec) {
        // They may contain a time limit.
        ObjectNode handedOn = object.mapper().createObjectNode();
        object.annotations().forEach(handedOn.putObject("annotations")::put);
        if (object.metadata().getLabels() != null) {
            object.metadata().getLabels().forEach(handedOn.putObject("labels")::put);
        }
        group(apiVersion, kind, name, handedOn, spec);
    }

    /**
     * Adds an object that the controller creates, and what the object's own controller creates of it. Pods among these
     * belong to the gangs of that controller.
     *
     * @param child a complete object without a namespace
     * @param specFields its specification, with the path where the user wrote it
     */
    void create(ObjectNode child, ObjectFields specFields) {
        ObjectMeta metadata = object.mapper().convertValue(child.path("metadata"), ObjectMeta.class);
        if (metadata.getName() == null) {
            throw new IllegalArgumentException("no %s: expected the object's name"
                    .formatted(specFields.path().replaceFirst("spec$", "metadata.name")));
        }
        if (child.path("apiVersion").asText().equals("v1")
                && child.path("kind").asText().equals("Pod")) {
            ObjectFields podFields = new ObjectFields(specFields.path().replaceFirst("\\.?spec$", ""), child);
            pod(metadata.getName(), object.template(podFields), owner(), Map.of(), Map.of());
            return;
        }
        metadata.setNamespace(object.namespace());
        metadata.setCreationTimestamp(object.metadata().getCreationTimestamp());
        metadata.setOwnerReferences(List.of(owner()));
        child.set("metadata", object.mapper().valueToTree(metadata));
        WrittenObject createdObject =
                new WrittenObject(metadata, child, specFields, object.mapper(), object.namedObjects());
        boolean isGroup = GroupKind.of(createdObject.apiVersion(), createdObject.kind()) != null;
        if (isGroup) {
            groups.add(child);
        }
        Optional<WorkloadKind> kind = WorkloadKinds.of(createdObject.apiVersion(), createdObject.kind());
        if (kind.isEmpty()) {
            if (!isGroup) {
                remark("its %s %s is not read"
                        .formatted(SafeText.value(createdObject.kind()), SafeText.value(metadata.getName())));
            }
            return;
        }
        WorkloadExpansion expansion = new WorkloadExpansion(createdObject);
        kind.get().make(createdObject, expansion);
        pods.addAll(expansion.pods);
        if (pods.size() > ObjectFields.MOST) {
            throw tooMany();
        }
        late.addAll(expansion.late);
        groups.addAll(expansion.groups);
        suspended |= expansion.suspended;
        expansion.remarks.forEach(this::remark);
    }

    private static IllegalArgumentException tooMany() {
        return new IllegalArgumentException("more than %d pods: expected at most so many".formatted(ObjectFields.MOST));
    }

    /** Adds a Job that the controller creates, without the pods of its template. */
    void job(String name, ObjectFields templateFields) {
        ObjectNode spec = object.mapper().createObjectNode();
        templateFields.at("spec").value().properties().stream()
                .filter(entry -> !entry.getKey().equals("template"))
                .forEach(entry -> spec.set(entry.getKey(), entry.getValue()));
        group("batch/v1", "Job", name, templateFields.at("metadata").value(), spec);
    }

    private void group(String apiVersion, String kind, String name, JsonNode given, ObjectNode spec) {
        ObjectNode group = object.mapper().createObjectNode();
        group.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = group.putObject("metadata");
        metadata.put("namespace", object.namespace()).put("name", name);
        for (String texts : List.of("labels", "annotations")) {
            if (given.path(texts).isObject()) {
                metadata.set(texts, given.path(texts));
            }
        }
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", object.apiVersion())
                .put("kind", object.kind())
                .put("name", object.name())
                .put("controller", true);
        group.set("spec", spec);
        groups.add(group);
    }

    /** Sets whether the object creates its pods only when it is resumed. */
    void suspended(boolean isSuspended) {
        suspended = isSuspended;
    }

    /** Adds a fact that the pods do not show, as the end of a sentence. */
    void remark(String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }
}
