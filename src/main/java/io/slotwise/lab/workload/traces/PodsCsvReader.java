package io.slotwise.lab.workload.traces;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Gpus;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.log.CsvTable;
import io.slotwise.lab.workload.log.JobParser;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.LogRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads pods of a Kubernetes cluster, a job each, from the openb traces: {@code
 * name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time}.
 *
 * <p>Choices:
 * <ul>
 * <li>A pod is submitted at its creation and runs from {@code scheduled_time} to {@code deletion_time}, at least a
 * second. A pod that never got a node counts with the time from its creation to its deletion, so that every pod of the
 * trace is present. The trace has no estimates, so they are the runtimes.
 * <li>GPUs are counted in thousandths, as {@value Gpus#THOUSANDTHS}: {@code num_gpu} times {@code gpu_milli}. So pods
 * with parts of a GPU can share a node, up to the sum of its GPUs. A part need not come from one GPU: three pods of 600
 * thousandths fit on two GPUs here, but not in a real node.
 * <li>{@code gpu_spec}, models with {@code |} between them, is a node affinity on the label {@value Gpus#MODEL}.
 * <li>{@code qos} is the job's queue.
 * <li>The trace names no users.
 * </ul>
 *
 * <p>O(length) a line.
 *
 * <p>Source: Q. Weng and others, "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient
 * Descent" (2023); the traces published with it.
 */
public final class PodsCsvReader implements JobParser {
    private static final Pattern OR = Pattern.compile("\\|");
    private static final long BYTES_PER_MIB = 1L << 20;

    private final OptionalInt machine;
    private final Map<String, NodeConstraint> constraints = new HashMap<>();
    private @Nullable Columns columns;

    public PodsCsvReader(OptionalInt machine) {
        this.machine = machine;
    }

    private record Columns(CsvTable table, int name, Amounts amounts, Times times, int models, int service) {
        static Columns of(Line line) {
            CsvTable table = new CsvTable(line);
            return new Columns(
                    table,
                    table.column("name"),
                    Amounts.of(table),
                    Times.of(table),
                    table.optional("gpu_spec"),
                    table.optional("qos"));
        }
    }

    private record Amounts(int cores, int memory, int gpus, int share) {
        static Amounts of(CsvTable table) {
            return new Amounts(
                    table.column("cpu_milli"),
                    table.column("memory_mib"),
                    table.column("num_gpu"),
                    table.column("gpu_milli"));
        }

        Resources of(LogRow row) {
            long gpus = row.amount(gpus(), "the number of GPUs");
            long share = gpus == 0 ? 0 : row.amount(share(), "the share of a GPU");
            return Resources.of(Map.of(
                    Resources.CPU,
                    row.amount(cores(), "the milli-cores"),
                    Resources.MEMORY,
                    row.amount(memory(), "the memory") * BYTES_PER_MIB,
                    Gpus.THOUSANDTHS,
                    Math.multiplyExact(gpus, share),
                    Resources.PODS,
                    1L));
        }
    }

    private record Times(int creation, int deletion, int scheduled) {
        static Times of(CsvTable table) {
            return new Times(
                    table.column("creation_time"), table.column("deletion_time"), table.column("scheduled_time"));
        }

        long submit(LogRow row) {
            return row.whole(creation, "the creation time");
        }

        /** Returns seconds, negative if the pod ends before it begins. */
        long runtime(LogRow row) {
            boolean placed = !row.text(scheduled, "the scheduled time").isEmpty();
            long start = placed ? row.whole(scheduled, "the scheduled time") : submit(row);
            long seconds = row.whole(deletion, "the deletion time") - start;
            return seconds == 0 ? 1 : seconds;
        }
    }

    @Override
    public OptionalInt processors() {
        return machine;
    }

    @Override
    public Entry parse(Line line) {
        if (columns == null) {
            columns = Columns.of(line);
            return Entry.Heading.LINE;
        }
        return pod(columns, columns.table().row(line));
    }

    private Entry pod(Columns columns, LogRow row) {
        String name = row.text(columns.name(), "the name");
        if (name.isEmpty()) {
            throw row.malformed(columns.name(), "the name", "expected the pod's name");
        }
        Resources resources = columns.amounts().of(row);
        long submit = columns.times().submit(row);
        long runtime = columns.times().runtime(row);
        Entry entry = JobParser.leftOut(runtime, 1, OptionalInt.empty(), submit);
        if (entry != null) {
            return entry;
        }
        String models = columns.models() == 0 ? "" : row.text(columns.models(), "the GPU models");
        String service = columns.service() == 0 ? "" : row.text(columns.service(), "the quality of service");
        PodRequest request = new PodRequest(
                resources, constraints.computeIfAbsent(models, PodsCsvReader::constraint), runtime, false);
        List<Job.Part> parts = List.of(new Job.Part(1, request));
        JobTerms terms = JobTerms.NONE.withQueue(service);
        return JobParser.told(new Job(name, submit, parts, runtime, UserName.UNKNOWN, terms));
    }

    private static NodeConstraint constraint(String models) {
        if (models.isEmpty()) {
            return NodeConstraint.NONE;
        }
        List<String> one =
                Stream.of(OR.split(models, -1)).map(String::strip).distinct().toList();
        Requirement requirement = new Requirement(Gpus.MODEL, Requirement.Operator.IN, one);
        return new NodeConstraint(Map.of(), List.of(new Term(List.of(requirement), List.of())), List.of(), Set.of());
    }
}
