package io.slotwise.lab.workload.traces;

import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Requirement.Operator;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Gpus;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes a workload as pods in the form of the openb traces, a line for each task.
 *
 * <p>A pod is scheduled at its submission and deleted after its runtime. The grouping of pods into gangs, estimates and
 * users are lost. GPUs are whole ones, or parts of as few as possible; memory is rounded up to MiB. A node affinity is
 * kept if it names the models of GPUs. The pods of a larger gang have the job's name and a number.
 *
 * <p>O(tasks) time, space for one job.
 */
public final class PodsCsvWriter {
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setRecordSeparator('\n')
            .setHeader(("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,"
                            + "creation_time,deletion_time,scheduled_time")
                    .split(",", -1))
            .get();
    private static final long BYTES_PER_MIB = 1L << 20;

    private PodsCsvWriter() {}

    public static void write(Workload workload, Writer out) throws IOException {
        CSVPrinter printer = new CSVPrinter(out, FORMAT);
        try (Stream<Job> jobs = workload.jobs()) {
            for (Job job : (Iterable<Job>) jobs::iterator) {
                write(job, printer);
            }
        }
        printer.flush();
    }

    private static void write(Job job, CSVPrinter printer) throws IOException {
        int pod = 0;
        for (Job.Part part : job.parts()) {
            Resources resources = part.request().resources();
            long thousandths = resources.get(Gpus.THOUSANDTHS) + resources.get(Gpus.WHOLE) * Gpus.PER_GPU;
            long gpus = Math.ceilDiv(thousandths, Gpus.PER_GPU);
            for (int i = 0; i < part.tasks(); i++) {
                printer.printRecord(
                        job.size() == 1 ? job.id() : job.id() + "-" + pod++,
                        resources.get(Resources.CPU),
                        Math.ceilDiv(resources.get(Resources.MEMORY), BYTES_PER_MIB),
                        gpus,
                        gpus == 0 ? 0 : Math.ceilDiv(thousandths, gpus),
                        String.join("|", models(part)),
                        job.terms().queue(),
                        "Succeeded",
                        job.submit(),
                        job.submit() + job.runtime(),
                        job.submit());
            }
        }
    }

    private static List<String> models(Job.Part part) {
        return part.request().constraint().affinity().stream()
                .flatMap(term -> term.labels().stream())
                .filter(requirement -> requirement.key().equals(Gpus.MODEL) && requirement.operator() == Operator.IN)
                .map(Requirement::values)
                .findFirst()
                .orElse(List.of());
    }
}
