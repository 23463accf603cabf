package io.slotwise.lab.manifest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.holds.HoldTerms;
import io.slotwise.kubernetes.manifest.holds.RecordSize;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import io.slotwise.kubernetes.manifest.schema.ObjectSchema;
import io.slotwise.kubernetes.manifest.schema.PodRules;
import io.slotwise.kubernetes.manifest.schema.SchemaFlaw;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Workload;
import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.io.Writer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a workload as Kubernetes objects in YAML: a Pod for each task, with the labels and annotations of its gang,
 * and a Namespace before the first job of each user.
 *
 * <p>The annotations have the user's statements. A container that sleeps for the job's real duration on the reference
 * node makes the rest true. {@code metadata.creationTimestamp} is the submission; an API server replaces it with its
 * own time. Invalid names are changed as those of Reservations are.
 *
 * <p>O(tasks) time, space in proportion to the users.
 */
public final class ManifestWriter {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SCHEDULER = "slotwise";
    private static final String IMAGE = "busybox:stable";

    private final long epoch;
    private final Writer out;
    private final Set<String> namespaces = new TreeSet<>();
    private long leftOut;
    private @Nullable String firstLeftOut;

    private ManifestWriter(long epoch, Writer out) {
        this.epoch = epoch;
        this.out = out;
    }

    /** Writes all jobs that a plan can read, from {@code epoch} on. Returns a sentence about the others. */
    public static Optional<String> write(Workload workload, long epoch, Writer out) throws IOException {
        ManifestWriter writer = new ManifestWriter(epoch, out);
        try (Stream<Job> jobs = workload.jobs()) {
            for (Job job : (Iterable<Job>) jobs::iterator) {
                writer.write(job);
            }
        }
        return Optional.ofNullable(writer.firstLeftOut)
                .map(first -> "%s: %d %s left out, which no plan could read; the first: %s"
                        .formatted(
                                workload.name(), writer.leftOut, writer.leftOut == 1 ? "job is" : "jobs are", first));
    }

    private void write(Job job) throws IOException {
        String namespace = ReservationName.label(job.user());
        String gang = ReservationName.label(job.id());
        String problem = problem(job, gang);
        if (problem != null) {
            leftOut++;
            firstLeftOut =
                    firstLeftOut == null ? "job %s: %s".formatted(SafeText.value(job.id()), problem) : firstLeftOut;
            return;
        }
        if (namespaces.add(namespace)) {
            out.write(Serialization.asYaml(namespace(namespace)));
        }
        Map<String, String> annotations = annotations(job);
        int pod = 0;
        for (Job.Part part : job.parts()) {
            for (int i = 0; i < part.tasks(); i++) {
                out.write(Serialization.asYaml(new PodBuilder(template(job, part, annotations))
                        .editMetadata()
                        .withNamespace(namespace)
                        .withName(gang + "-" + pod++)
                        .addToLabels(AnnotationKeys.GANG, gang)
                        .endMetadata()
                        .build()));
            }
        }
    }

    /** Returns why a plan could not read a job's pods, as the readers of plans say it, or null. O(parts). */
    private @Nullable String problem(Job job, String gang) {
        long size = job.parts().stream().mapToLong(Job.Part::tasks).sum();
        String tooMany = size > GangSize.LARGEST
                ? "%d pods: expected at most %d".formatted(size, GangSize.LARGEST)
                : RecordSize.on(List.of()).problem((int) size, HoldTerms.longestName(gang, (int) size));
        if (tooMany != null) {
            return tooMany;
        }
        try {
            AnnotationReader annotationReader = new AnnotationReader();
            Map<String, String> annotations = annotations(job);
            annotationReader.add("its pods", Map.of(), annotations, Set.of(), AnnotationKeys.POD_ANNOTATIONS);
            AnnotatedGang.read(
                    annotationReader,
                    new GangSize.Together((int) size),
                    null,
                    GangDefaults.of(LoopSettings.DEFAULT),
                    new GangDefaults.Hour(Money.ZERO, ValueOfTime.MOST));
            if (!annotationReader.problems().isEmpty()) {
                return annotationReader.problems().getFirst();
            }
            Intervals.parseDown(instant(job.submit()));
            QuantityAmounts amounts = new QuantityAmounts();
            for (Job.Part part : job.parts()) {
                Pod pod = template(job, part, annotations);
                ObjectNode written = MAPPER.valueToTree(pod);
                ((ObjectNode) written.get("metadata")).put("name", gang + "-0");
                SchemaFlaw flaw = ObjectSchema.flaws(written).stream()
                        .findFirst()
                        .orElse(PodRules.broken(written.path("spec"), "spec"));
                if (flaw != null) {
                    return flaw.message();
                }
                PodResources.of(pod, amounts);
            }
            return null;
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Namespace namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    private Pod template(Job job, Job.Part part, Map<String, String> annotations) {
        PodRequest request = part.request();
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withCreationTimestamp(instant(job.submit()))
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(SCHEDULER)
                .withRestartPolicy("Never")
                .withNodeSelector(new TreeMap<>(request.constraint().selector()))
                .withAffinity(PodConstraints.affinity(request.constraint()))
                .withTolerations(PodConstraints.tolerations(request.constraint()))
                .addNewContainer()
                .withName("job")
                .withImage(IMAGE)
                .withCommand("sleep", String.valueOf(job.runtime()))
                .withNewResources()
                .withRequests(QuantityAmounts.quantities(request.resources()))
                .withLimits(QuantityAmounts.extended(request.resources()))
                .endResources()
                .endContainer()
                .endSpec();
        if (request.nodeIndependent()) {
            pod.editSpec().withActiveDeadlineSeconds(request.runtime()).endSpec();
        }
        if (job.terms().priority() != 0) {
            pod.editSpec().withPriority(job.terms().priority()).endSpec();
        }
        return pod.build();
    }

    private Map<String, String> annotations(Job job) {
        JobTerms terms = job.terms();
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(AnnotationKeys.GANG_SIZE, String.valueOf(job.size()));
        if (!job.parts().getFirst().request().nodeIndependent()) {
            annotations.put(AnnotationKeys.RUNTIME, Durations.brief(job.estimate()));
        }
        Demand demand = onTheClock(terms.demand());
        for (GangKey<?> key : GangKey.ALL) {
            String word = key.textOf(demand);
            if (word != null) {
                annotations.put(key.key(), word);
            }
        }
        return annotations;
    }

    private Demand onTheClock(Demand demand) {
        Demand startingDemand = demand.earliestStart() == Long.MIN_VALUE
                ? demand
                : demand.withEarliestStart(Math.addExact(epoch, demand.earliestStart()));
        return demand.deadline() == Interval.FOREVER
                ? startingDemand
                : startingDemand.withDeadline(Math.addExact(epoch, demand.deadline()));
    }

    private String instant(long second) {
        return Instant.ofEpochSecond(Math.addExact(epoch, second)).toString();
    }
}
