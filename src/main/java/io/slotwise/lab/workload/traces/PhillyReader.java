package io.slotwise.lab.workload.traces;

import io.slotwise.core.gang.NodeConstraint;
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
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads training jobs of a GPU cluster, a CSV line each: {@code job_id,submit_time_s,duration_s,num_gpus,tenant_vc}.
 * The names {@code submit_time}, {@code duration}, {@code num_gpu} and {@code user} of derived traces are accepted too,
 * and the tenant may be missing.
 *
 * <p>A job is a gang of pods with one GPU each, {@value Gpus#WHOLE}; its user is the tenant. The log has no estimates,
 * so they are the durations. Jobs without a duration or GPUs are left out, and those wider than the machine, whose size
 * only the caller knows.
 *
 * <p>O(length) a line.
 *
 * <p>Source: M. Jeon and others, "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads" (2019);
 * the trace published with it.
 */
public final class PhillyReader implements JobParser {
    private static final Resources ONE_GPU = Resources.of(Map.of(Gpus.WHOLE, 1L, Resources.PODS, 1L));

    private final OptionalInt machine;
    private @Nullable Columns columns;

    /** Creates a reader for a machine with this many GPUs; empty for any number. */
    public PhillyReader(OptionalInt machine) {
        this.machine = machine;
    }

    private record Columns(CsvTable table, int id, int submit, int duration, int gpus, int tenant) {
        static Columns of(Line line) {
            CsvTable table = new CsvTable(line);
            return new Columns(
                    table,
                    table.column("job_id"),
                    table.column("submit_time_s", "submit_time"),
                    table.column("duration_s", "duration"),
                    table.column("num_gpus", "num_gpu"),
                    table.optional("tenant_vc", "user"));
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
        return job(columns, columns.table().row(line));
    }

    private Entry job(Columns columns, LogRow row) {
        String id = row.text(columns.id(), "the job");
        if (id.isEmpty()) {
            throw row.malformed(columns.id(), "the job", "expected its name");
        }
        long submit = row.whole(columns.submit(), "the submit time");
        long duration = row.whole(columns.duration(), "the duration");
        int gpus = row.count(columns.gpus(), "the number of GPUs");
        String tenant = columns.tenant() == 0 ? "" : row.text(columns.tenant(), "the tenant");
        Entry entry = JobParser.leftOut(duration, gpus, machine, submit);
        if (entry != null) {
            return entry;
        }
        PodRequest request = new PodRequest(ONE_GPU, NodeConstraint.NONE, duration, false);
        return JobParser.told(new Job(
                id,
                submit,
                List.of(new Job.Part(gpus, request)),
                duration,
                tenant.isEmpty() ? UserName.UNKNOWN : tenant,
                JobTerms.NONE));
    }
}
