package io.slotwise.lab.simulation.disturbance;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.disturbance.Disturbance.OwnerJob;
import io.slotwise.lab.simulation.disturbance.Disturbance.Removed;
import io.slotwise.lab.simulation.disturbance.Disturbance.Repriced;
import io.slotwise.lab.simulation.disturbance.Disturbance.Returned;
import io.slotwise.lab.workload.log.CsvTable;
import io.slotwise.lab.workload.log.LogRow;
import io.slotwise.lab.workload.log.MalformedWorkload;
import io.slotwise.lab.workload.log.TextSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads disturbances from a CSV file with the columns {@code second,event,node,price,cpu_milli,memory_mib,seconds}. An
 * {@code event} is {@code removed}, {@code returned}, {@code price} (with {@code price}) or {@code owner-job} (with
 * {@code cpu_milli}, {@code seconds} and optionally {@code memory_mib}). Other fields are empty. Lines may have any
 * order.
 */
public final class DisturbanceFile {
    private static final long BYTES_PER_MIB = 1L << 20;

    private DisturbanceFile() {}

    /** Returns the disturbances by second, and within a second in the order of the file. */
    public static List<Disturbance> read(Path file, Set<String> nodes) {
        List<Disturbance> all = new ArrayList<>();
        CsvTable.read(TextSource.file(file), (table, row) -> all.add(new Fields(table, row).disturbance(nodes)));
        all.sort(Comparator.comparingLong(Disturbance::second));
        return all;
    }

    /** The fields of a line, by column. */
    private record Fields(CsvTable table, LogRow row) {
        Disturbance disturbance(Set<String> nodes) {
            long second = whole("second", 0);
            String node = text("node");
            if (!nodes.contains(node)) {
                throw malformed("node", "expected the name of a node of the machine");
            }
            return switch (text("event")) {
                case "removed" -> new Removed(second, node);
                case "returned" -> new Returned(second, node);
                case "price" ->
                    new Repriced(
                            second, node, CsvTable.value(row, table.column("price"), "the field price", Money::parse));
                case "owner-job" -> new OwnerJob(second, node, amount(), whole("seconds", 1));
                default -> throw malformed("event", "expected removed, returned, price or owner-job");
            };
        }

        private Resources amount() {
            Map<String, Long> amounts = new HashMap<>();
            amounts.put(Resources.CPU, whole("cpu_milli", 1));
            amounts.put(Resources.PODS, 1L);
            if (!text("memory_mib").isEmpty()) {
                amounts.put(Resources.MEMORY, Math.multiplyExact(whole("memory_mib", 1), BYTES_PER_MIB));
            }
            return Resources.of(amounts);
        }

        private long whole(String column, long least) {
            try {
                long value = Long.parseLong(text(column));
                if (value >= least && value <= Integer.MAX_VALUE) {
                    return value;
                }
            } catch (NumberFormatException e) {
                throw malformed(column, "expected a whole number");
            }
            throw malformed(column, "expected between %d and %d".formatted(least, Integer.MAX_VALUE));
        }

        private String text(String column) {
            return row.text(table.column(column), column);
        }

        private MalformedWorkload malformed(String column, String expected) {
            return row.malformed(table.column(column), "the field " + column, expected);
        }
    }
}
