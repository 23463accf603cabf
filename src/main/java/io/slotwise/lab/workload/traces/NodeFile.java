package io.slotwise.lab.workload.traces;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.lab.workload.log.CsvTable;
import io.slotwise.lab.workload.log.LogRow;
import io.slotwise.lab.workload.log.MalformedWorkload;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.traces.ListedNode.Capacity;
import io.slotwise.lab.workload.traces.ListedNode.Economy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads lists of nodes other than Kubernetes objects: CSV files and METACENTRUM's machines, plain or gzip. */
public final class NodeFile {
    private static final String COMPRESSED = ".gz";
    private static final String CSV = ".csv";
    private static final String MACHINES = ".machines";

    private NodeFile() {}

    /** Returns whether the file name is that of such a list; other files have Kubernetes objects. */
    public static boolean isList(Path file) {
        String name = plainName(file);
        return name.endsWith(CSV) || name.endsWith(MACHINES);
    }

    /** Returns the nodes of a list, at least one, in its order. */
    public static List<Node> read(Path file) {
        TextSource source = TextSource.file(file);
        List<Node> nodes =
                plainName(file).endsWith(MACHINES) ? MachinesReader.read(source) : NodesCsvReader.read(source);
        if (nodes.isEmpty()) {
            throw new MalformedWorkload(source.name(), "no nodes; expected a line for each kind of node");
        }
        return List.copyOf(nodes);
    }

    private static String plainName(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(COMPRESSED) ? name.substring(0, name.length() - COMPRESSED.length()) : name;
    }

    /**
     * Reads nodes from a CSV file, a line for each kind: {@code
     * name,count,cpu_milli,memory_mib,gpus,gpu_model,pods,performance,price,owner,watts,label:KEY...}, in any order.
     *
     * <p>{@code name} (or {@code sn}), {@code cpu_milli} and {@code memory_mib} are required. The openb traces' {@code
     * gpu} and {@code model} stand for {@code gpus} and {@code gpu_model}. Without a count there is one node of that
     * name, otherwise its nodes are numbered, {@code name-0} and so on. A non-empty column {@code label:KEY} sets the
     * label KEY. Without a price, a node costs the sum of its parts by the program's price list, which must then have
     * the model of its GPUs.
     */
    static final class NodesCsvReader {
        private static final String LABEL = "label:";
        private static final int MOST_NODES = 1_000_000;
        private static final long MICROS_PER_MILLI = 1000;

        private final UnitPrices prices = UnitPrices.bundled();
        private final List<Node> nodes = new ArrayList<>();
        private final Map<String, Long> lines = new HashMap<>();

        private NodesCsvReader() {}

        static List<Node> read(TextSource source) {
            NodesCsvReader reader = new NodesCsvReader();
            CsvTable.read(source, reader::row);
            return reader.nodes;
        }

        private void row(CsvTable table, LogRow row) {
            int nameColumn = table.column("name", "sn");
            String name = row.text(nameColumn, "the name");
            if (name.isEmpty()) {
                throw row.malformed(nameColumn, "the name", "expected the node's name");
            }
            int countColumn = table.optional("count");
            int count = Math.toIntExact(amount(row, countColumn, "the number of nodes", 1));
            if (count > MOST_NODES) {
                throw row.malformed(countColumn, "the number of nodes", "expected at most " + MOST_NODES);
            }
            Capacity capacity = capacity(table, row);
            Economy economy = economy(table, row, capacity);
            Map<String, String> labels = labels(table, row);
            int width = String.valueOf(Math.max(0, count - 1)).length();
            for (int i = 0; i < count; i++) {
                String each = countColumn == 0
                                || row.text(countColumn, "the number of nodes").isEmpty()
                        ? name
                        : name + "-" + "0".repeat(width - String.valueOf(i).length()) + i;
                Long earlier = lines.putIfAbsent(each, row.line().number());
                if (earlier != null) {
                    throw row.malformed(
                            nameColumn, "the name", "there is already a node %s in line %d".formatted(each, earlier));
                }
                nodes.add(new ListedNode(each, labels, capacity, economy).node());
            }
        }

        private static Capacity capacity(CsvTable table, LogRow row) {
            int model = table.optional("gpu_model", "model");
            return new Capacity(
                    amount(row, table.column("cpu_milli"), "the milli-cores", 0),
                    amount(row, table.column("memory_mib"), "the memory", 0),
                    amount(row, table.optional("gpus", "gpu"), "the number of GPUs", 0),
                    model == 0 ? "" : row.text(model, "the GPUs' model"),
                    amount(row, table.optional("pods"), "the number of pods", ListedNode.PODS));
        }

        private Economy economy(CsvTable table, LogRow row, Capacity capacity) {
            Money money =
                    CsvTable.<@Nullable Money>orElse(row, table.optional("price"), "the price", Money::parse, null);
            return new Economy(
                    CsvTable.orElse(
                            row,
                            table.optional("performance"),
                            "the performance",
                            Performance::parse,
                            Performance.REFERENCE),
                    money == null ? listed(table, row, capacity) : money,
                    CsvTable.orElse(row, table.optional("owner"), "the owner", text -> text, ListedNode.OWNER),
                    CsvTable.orElse(
                            row,
                            table.optional("watts"),
                            "the watts",
                            text -> Money.parse(text).micros() / MICROS_PER_MILLI,
                            Node.UNKNOWN));
        }

        private Money listed(CsvTable table, LogRow row, Capacity capacity) {
            Money price = prices.of(capacity);
            if (price == null) {
                int model = table.optional("gpu_model", "model");
                String expected = "expected a GPU model of %s in the column gpu_model, or a price in the column price"
                        .formatted(String.join(", ", prices.gpuModels()));
                throw model == 0
                        ? row.malformed(table.column("gpus", "gpu"), "the number of GPUs", expected)
                        : row.malformed(model, "the GPUs' model", expected);
            }
            return price;
        }

        private static Map<String, String> labels(CsvTable table, LogRow row) {
            Map<String, String> labels = new TreeMap<>();
            for (String column : table.names()) {
                if (column.startsWith(LABEL)) {
                    String value = row.text(table.column(column), column);
                    if (!value.isEmpty()) {
                        labels.put(column.substring(LABEL.length()), value);
                    }
                }
            }
            return labels;
        }

        private static long amount(LogRow row, int column, String what, long usual) {
            if (column == 0 || row.text(column, what).isEmpty()) {
                return usual;
            }
            return row.amount(column, what);
        }
    }
}
