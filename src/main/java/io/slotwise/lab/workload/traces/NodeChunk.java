package io.slotwise.lab.workload.traces;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.lab.workload.Processor;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one kind that a job asks for: {@code NODES:ppn=PROCESSORS:PROPERTY...}; a host's name instead of the number
 * asks for that host.
 *
 * <p>Of the properties, those count that tell the machine's nodes apart: {@code cl_NAME} a cluster, {@code nodecpusN}
 * the size of a node, a host's name ({@code zewura12.cerit-sc.cz} or {@code host=zewura12}); with {@code ^} before them
 * they are excluded. All others (site, architecture, operating system, file system, memory, which the whole job states)
 * hold on every node of the log's machine.
 *
 * @param nodes how many
 * @param milliCores on each of them
 * @param constraint which
 */
record NodeChunk(int nodes, long milliCores, NodeConstraint constraint) {
    private static final Pattern COUNT = Pattern.compile("\\d{1,6}");
    private static final String PROCESSORS = "ppn=";
    private static final String CLUSTER = "cl_";
    private static final Pattern NODE_SIZE = Pattern.compile("nodecpus(\\d+)");
    private static final Pattern HOST = Pattern.compile("(?:host=)?([A-Za-z][-A-Za-z0-9]*)\\..*|host=([-A-Za-z0-9]+)");
    private static final BigDecimal MOST_PROCESSORS = BigDecimal.valueOf(1_000_000);

    /**
     * Reads a chunk.
     *
     * @throws IllegalArgumentException if it is none; the message says what was expected
     */
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
        Requirement host = requirement(word);
        if (host == null) {
            throw new IllegalArgumentException("expected NODES:ppn=PROCESSORS:PROPERTY such as 2:ppn=12:cl_zegox");
        }
        requirements.add(host);
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
