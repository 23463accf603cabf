package io.slotwise.lab.workload.traces;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.log.CsvTable;
import io.slotwise.lab.workload.log.Lines;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.LogRow;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.swf.SwfReader;
import io.slotwise.lab.workload.traces.ListedNode.Capacity;
import io.slotwise.lab.workload.traces.ListedNode.Economy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads the machines of a METACENTRUM log, a line for each cluster: number, name, nodes, processors and speed of a
 * node, and its memory in KiB, separated by blanks.
 *
 * <p>The nodes of cluster {@code zegox} are {@code zegox1} and so on, as in the log, with the labels {@value #CLUSTER}
 * and {@value #PROCESSORS}. The speed is the performance. The list has no prices, so a node costs the sum of its parts
 * by the program's price list.
 */
final class MachinesReader {
    static final String CLUSTER = "metacentrum.cz/cluster";

    /** The label for the number of processors of a node. */
    static final String PROCESSORS = "metacentrum.cz/processors";

    private static final int COLUMNS = 6;
    private static final int NAME = 2;
    private static final int NODES = 3;
    private static final int CPUS = 4;
    private static final int SPEED = 5;
    private static final int MEMORY = 6;
    private static final long KIB_PER_MIB = 1024;
    private static final long MOST_NODES = 1_000_000;
    private static final long LARGEST_MEMORY = 1_000_000_000_000L;

    private MachinesReader() {}

    static List<Node> read(TextSource source) {
        List<Node> nodes = new ArrayList<>();
        UnitPrices prices = UnitPrices.bundled();
        Set<String> clusters = new HashSet<>();
        try (Lines lines = new Lines(source)) {
            for (Line line = lines.next(); line != null; line = lines.next()) {
                if (!line.isBlank()) {
                    LogRow row = row(line);
                    if (!clusters.add(row.text(NAME, "the name"))) {
                        throw row.malformed(NAME, "the name", "there is already a cluster of that name");
                    }
                    nodes.addAll(cluster(row, prices));
                }
            }
        }
        return nodes;
    }

    private static LogRow row(Line line) {
        List<String> columns = SwfReader.columns(line);
        if (columns.size() != COLUMNS) {
            throw line.malformed(
                    Math.min(columns.size(), COLUMNS) + 1,
                    "the line has %d columns: expected %d (number, name, nodes, processors, speed, memory in KiB)"
                            .formatted(columns.size(), COLUMNS));
        }
        return new LogRow(line, columns);
    }

    private static List<Node> cluster(LogRow row, UnitPrices prices) {
        String name = row.text(NAME, "the name");
        long count = positive(row, NODES, "the number of nodes", MOST_NODES);
        long processors = positive(row, CPUS, "the number of processors", MOST_NODES);
        long memory = positive(row, MEMORY, "the memory", LARGEST_MEMORY) / KIB_PER_MIB;
        Performance performance = CsvTable.value(row, SPEED, "the speed", Performance::parse);
        Capacity capacity = new Capacity(processors * Processor.MILLI_CORES, memory, 0, "", ListedNode.PODS);
        Money price = Objects.requireNonNull(prices.of(capacity), "A node without GPUs must have a price.");
        Economy economy = new Economy(performance, price, ListedNode.OWNER, Node.UNKNOWN);
        Map<String, String> labels = Map.of(CLUSTER, name, PROCESSORS, String.valueOf(processors));
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(new ListedNode(name + i, labels, capacity, economy).node());
        }
        return nodes;
    }

    private static long positive(LogRow row, int column, String what, long most) {
        long value = row.whole(column, what);
        if (value <= 0 || value > most) {
            throw row.malformed(column, what, "expected between 1 and " + most);
        }
        return value;
    }
}
