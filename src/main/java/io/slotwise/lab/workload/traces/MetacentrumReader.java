package io.slotwise.lab.workload.traces;

import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.log.JobParser;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.LogRow;
import io.slotwise.lab.workload.swf.SwfReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The extended form of the standard workload format in which METACENTRUM's logs are published: the 18 columns, the
 * processors' nodes, the queue, and what was asked for node by node, {@code NODES:ppn=PROCESSORS:PROPERTY...} with
 * {@code +} between chunks.
 *
 * <p>Each chunk is a part of the gang with a task for each node: {@code ppn} cores, and the memory asked for (column
 * 10, bytes) divided evenly over all nodes of the job. Where the run time, the processors or the submission would leave
 * a job out of a standard log, it is left out here too, and a job that runs longer than it asked for is cut. See {@link
 * NodeChunk} for the properties.
 *
 * <p>{@code #excl} asks for whole nodes: each task takes all the {@value ListedNode#PODS} pods of its node, so that no
 * other task is on it, while its cores, and so its cost, stay what it asks for.
 *
 * <p>O(length) a line.
 *
 * <p>Source: D. Klusáček, H. Rudová, "Alea 2: Job Scheduling Simulator" (2010), whose distribution
 * has the log.
 */
public final class MetacentrumReader implements JobParser {
    private static final int COLUMNS = 21;
    private static final int ID = 1;
    private static final int SUBMIT = 2;
    private static final int RUNTIME = 4;
    private static final int ESTIMATE = 9;
    private static final int MEMORY = 10;
    private static final int USER = 12;
    private static final int QUEUE = 20;
    private static final int CHUNKS = 21;
    private static final String EXCLUSIVE = "#excl";

    private final OptionalInt machine;

    /** A reader; {@code machine} is what the caller says about it. */
    public MetacentrumReader(OptionalInt machine) {
        this.machine = machine;
    }

    @Override
    public OptionalInt processors() {
        return machine;
    }

    @Override
    public Entry parse(Line line) {
        if (line.text().startsWith(";")) {
            return Entry.Heading.LINE;
        }
        List<String> columns = SwfReader.columns(line);
        if (columns.size() != COLUMNS) {
            throw line.malformed(
                    Math.min(columns.size(), COLUMNS) + 1,
                    "the line has %d columns: expected %d".formatted(columns.size(), COLUMNS));
        }
        return job(new LogRow(line, columns));
    }

    private static Entry job(LogRow row) {
        row.whole(ID, "the job number");
        long submit = row.whole(SUBMIT, "the submit time");
        long runtime = row.whole(RUNTIME, "the run time");
        long asked = row.whole(ESTIMATE, "the requested time");
        long user = row.whole(USER, "the user");
        if (runtime <= 0) {
            return new Entry.LeftOut(Omission.NO_RUNTIME);
        }
        if (submit < 0) {
            return new Entry.LeftOut(Omission.EARLY);
        }
        List<Job.Part> parts = parts(row, asked > 0 ? asked : runtime);
        return JobParser.told(
                row.values().getFirst(), submit, parts, runtime, UserName.of(user), row.text(QUEUE, "the queue"));
    }

    private static List<Job.Part> parts(LogRow row, long estimate) {
        String text = row.text(CHUNKS, "the request");
        boolean exclusive = text.endsWith(EXCLUSIVE);
        String plain = exclusive ? text.substring(0, text.length() - EXCLUSIVE.length()) : text;
        List<NodeChunk> chunks = new ArrayList<>();
        try {
            for (String chunk : plain.split("\\+", -1)) {
                chunks.add(NodeChunk.parse(chunk));
            }
        } catch (IllegalArgumentException e) {
            throw row.malformed(CHUNKS, "the request", String.valueOf(e.getMessage()));
        }
        long nodes = chunks.stream().mapToLong(NodeChunk::nodes).sum();
        long memory = Math.ceilDiv(Math.max(0, row.whole(MEMORY, "the requested memory")), nodes);
        List<Job.Part> parts = new ArrayList<>();
        for (NodeChunk chunk : chunks) {
            Resources resources = Resources.of(Map.of(
                    Resources.CPU,
                    chunk.milliCores(),
                    Resources.MEMORY,
                    memory,
                    Resources.PODS,
                    exclusive ? ListedNode.PODS : 1L));
            parts.add(new Job.Part(chunk.nodes(), new PodRequest(resources, chunk.constraint(), estimate, false)));
        }
        return parts;
    }
}
