package io.slotwise.lab.workload.traces;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.log.JobParser;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.LogRow;
import io.slotwise.lab.workload.swf.SwfReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the extension of the standard workload format in which METACENTRUM's logs are published. It has the 18 columns,
 * the processors' nodes, the queue, and the request by node, {@code NODES:ppn=PROCESSORS:PROPERTY...} with {@code +}
 * between chunks.
 *
 * <p>Each chunk is a part of the gang with a task for each node: {@code ppn} cores, and the requested memory (column
 * 10, bytes) divided evenly over all nodes of the job. The rules of the standard format for jobs that are left out or
 * cut apply. See {@link NodeChunk} for the properties.
 *
 * <p>{@code #excl} requests whole nodes: each task takes all the {@value ListedNode#PODS} pods of its node, so that no
 * other task is on it. Its cores, and so its cost, stay as requested.
 *
 * <p>O(length) a line.
 *
 * <p>Source: D. Klusáček, H. Rudová, "Alea 2: Job Scheduling Simulator" (2010), whose distribution has the log.
 */
public record MetacentrumReader(OptionalInt machine) implements JobParser {
    private static final int COLUMNS = 21;
    private static final int ID = 1;
    private static final int SUBMIT = 2;
    private static final int RUNTIME = 4;
    private static final int ESTIMATE = 9;
    private static final int MEMORY = 10;
    private static final int STATUS = 11;
    private static final int USER = 12;
    private static final int QUEUE = 20;
    private static final int CHUNKS = 21;
    private static final String EXCLUSIVE = "#excl";

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
        if (JobParser.isPart(row.whole(STATUS, "the status"))) {
            return new Entry.LeftOut(Omission.PART);
        }
        long submit = row.whole(SUBMIT, "the submit time");
        long runtime = row.whole(RUNTIME, "the run time");
        long asked = row.whole(ESTIMATE, "the requested time");
        long user = row.whole(USER, "the user");
        Entry entry = JobParser.leftOut(runtime, 1, OptionalInt.empty(), submit);
        if (entry != null) {
            return entry;
        }
        List<Job.Part> parts = parts(row, asked > 0 ? asked : runtime);
        JobTerms terms = JobTerms.NONE.withQueue(row.text(QUEUE, "the queue"));
        return JobParser.told(new Job(row.values().getFirst(), submit, parts, runtime, UserName.of(user), terms));
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

    /**
     * Nodes of one kind in a job's request: {@code NODES:ppn=PROCESSORS:PROPERTY...}. A host name instead of the number
     * requests that host.
     *
     * <p>Only properties that distinguish the machine's nodes count: {@code cl_NAME} for a cluster, {@code nodecpusN}
     * for the size of a node, and a host name ({@code zewura12.cerit-sc.cz} or {@code host=zewura12}). A {@code ^}
     * before them excludes them. All others (site, architecture, operating system, file system, memory, which the whole
     * job states) hold on every node of the log's machine.
     *
     * @param milliCores on each of them
     */
    private record NodeChunk(int nodes, long milliCores, NodeConstraint constraint) {
        private static final Pattern COUNT = Pattern.compile("\\d{1,6}");
        private static final String PROCESSORS = "ppn=";
        private static final String CLUSTER = "cl_";
        private static final Pattern NODE_SIZE = Pattern.compile("nodecpus(\\d+)");
        private static final Pattern HOST =
                Pattern.compile("(?:host=)?([A-Za-z][-A-Za-z0-9]*)\\..*|host=([-A-Za-z0-9]+)");
        private static final BigDecimal MOST_PROCESSORS = BigDecimal.valueOf(1_000_000);

        /** Parses a chunk. An IllegalArgumentException says what was expected. */
        static NodeChunk parse(String text) {
            String[] words = text.split(":", -1);
            List<Requirement> requirements = new ArrayList<>();
            int nodes = nodes(words[0], requirements);
            long milliCores = Processor.MILLI_CORES;
            for (String word : Arrays.asList(words).subList(1, words.length)) {
                if (word.startsWith(PROCESSORS)) {
                    milliCores = milliCores(word.substring(PROCESSORS.length()));
                } else {
                    Requirement requirement = requirement(word);
                    if (requirement != null) {
                        requirements.add(requirement);
                    }
                }
            }
            NodeConstraint constraint = requirements.isEmpty()
                    ? NodeConstraint.NONE
                    : new NodeConstraint(Map.of(), List.of(new Term(requirements, List.of())), List.of(), Set.of());
            return new NodeChunk(nodes, milliCores, constraint);
        }

        private static int nodes(String word, List<Requirement> requirements) {
            if (COUNT.matcher(word).matches() && Integer.parseInt(word) > 0) {
                return Integer.parseInt(word);
            }
            Requirement requirement = requirement(word);
            if (requirement == null) {
                throw new IllegalArgumentException("expected NODES:ppn=PROCESSORS:PROPERTY such as 2:ppn=12:cl_zegox");
            }
            requirements.add(requirement);
            return 1;
        }

        private static long milliCores(String text) {
            try {
                BigDecimal processors = new BigDecimal(PlainDigits.of(text));
                if (processors.signum() > 0 && processors.compareTo(MOST_PROCESSORS) <= 0) {
                    return processors.movePointRight(3).longValue();
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("expected a number of processors after ppn=", e);
            }
            throw new IllegalArgumentException("expected a positive number of processors after ppn=");
        }

        private static @Nullable Requirement requirement(String property) {
            boolean excluded = property.startsWith("^");
            String plain = excluded ? property.substring(1) : property;
            Requirement.Operator operator = excluded ? Requirement.Operator.NOT_IN : Requirement.Operator.IN;
            if (plain.startsWith(CLUSTER)) {
                return new Requirement(MachinesReader.CLUSTER, operator, List.of(plain.substring(CLUSTER.length())));
            }
            var size = NODE_SIZE.matcher(plain);
            if (size.matches()) {
                return new Requirement(MachinesReader.PROCESSORS, operator, List.of(size.group(1)));
            }
            var host = HOST.matcher(plain);
            if (host.matches()) {
                String name = host.group(1) == null ? host.group(2) : host.group(1);
                return new Requirement(ListedNode.HOST, operator, List.of(name));
            }
            return null;
        }
    }
}
