package io.slotwise.lab.simulation.disturbance;

import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.disturbance.Disturbance.OwnerJob;
import io.slotwise.lab.simulation.disturbance.Disturbance.Removed;
import io.slotwise.lab.simulation.disturbance.Disturbance.Repriced;
import io.slotwise.lab.simulation.disturbance.Disturbance.Returned;
import io.slotwise.lab.workload.log.MalformedWorkload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads disturbances from a CSV file with the header {@code second,event,node,price,cpu_milli,memory_mib,seconds}. An
 * {@code event} is {@code removed}, {@code returned}, {@code price} (with {@code price}) or {@code owner-job} (with
 * {@code cpu_milli}, {@code seconds} and optionally {@code memory_mib}). Other fields are empty. Lines may have any
 * order.
 */
public final class DisturbanceFile {
    private static final String SECOND = "second";
    private static final String EVENT = "event";
    private static final String NODE = "node";
    private static final String PRICE = "price";
    private static final String CPU = "cpu_milli";
    private static final String MEMORY = "memory_mib";
    private static final String SECONDS = "seconds";
    private static final List<String> HEADER = List.of(SECOND, EVENT, NODE, PRICE, CPU, MEMORY, SECONDS);
    private static final long BYTES_PER_MIB = 1L << 20;
    private static final CSVFormat FORMAT =
            CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).setTrim(true).get();

    private final String file;
    private final Set<String> nodes;

    private DisturbanceFile(String file, Set<String> nodes) {
        this.file = file;
        this.nodes = nodes;
    }

    /** Returns the disturbances by second, and within a second in the order of the file. */
    public static List<Disturbance> read(Path file, Set<String> nodes) {
        try (BufferedReader reader = Files.newBufferedReader(file);
                CSVParser rows = FORMAT.parse(reader)) {
            return new DisturbanceFile(file.toString(), nodes).read(rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Disturbance> read(CSVParser rows) {
        List<Disturbance> all = new ArrayList<>();
        boolean header = true;
        for (CSVRecord row : rows) {
            if (header && !row.toList().equals(HEADER)) {
                throw new MalformedWorkload(
                        file + ":1:1",
                        "the header is '%s'; expected '%s'"
                                .formatted(String.join(",", row.toList()), String.join(",", HEADER)));
            }
            if (!header) {
                all.add(disturbance(row));
            }
            header = false;
        }
        all.sort(Comparator.comparingLong(Disturbance::second));
        return all;
    }

    private Disturbance disturbance(CSVRecord row) {
        if (row.size() != HEADER.size()) {
            throw new MalformedWorkload(
                    "%s:%d:1".formatted(file, row.getRecordNumber()),
                    "the line has %d fields; expected %d".formatted(row.size(), HEADER.size()));
        }
        long second = whole(row, SECOND, 0);
        String node = text(row, NODE);
        if (!nodes.contains(node)) {
            throw malformed(row, NODE, "expected the name of a node of the machine");
        }
        return switch (text(row, EVENT)) {
            case "removed" -> new Removed(second, node);
            case "returned" -> new Returned(second, node);
            case "price" -> new Repriced(second, node, price(row));
            case "owner-job" -> new OwnerJob(second, node, amount(row), whole(row, SECONDS, 1));
            default -> throw malformed(row, EVENT, "expected removed, returned, price or owner-job");
        };
    }

    private Money price(CSVRecord row) {
        try {
            return Money.parse(text(row, PRICE));
        } catch (IllegalArgumentException e) {
            throw malformed(row, PRICE, String.valueOf(e.getMessage()));
        }
    }

    private Resources amount(CSVRecord row) {
        Map<String, Long> amounts = new HashMap<>();
        amounts.put(Resources.CPU, whole(row, CPU, 1));
        amounts.put(Resources.PODS, 1L);
        if (!text(row, MEMORY).isEmpty()) {
            amounts.put(Resources.MEMORY, Math.multiplyExact(whole(row, MEMORY, 1), BYTES_PER_MIB));
        }
        return Resources.of(amounts);
    }

    private long whole(CSVRecord row, String column, long least) {
        try {
            long value = Long.parseLong(text(row, column));
            if (value >= least && value <= Integer.MAX_VALUE) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw malformed(row, column, "expected a whole number");
        }
        throw malformed(row, column, "expected between %d and %d".formatted(least, Integer.MAX_VALUE));
    }

    private static String text(CSVRecord row, String column) {
        return row.get(HEADER.indexOf(column));
    }

    private MalformedWorkload malformed(CSVRecord row, String column, String expected) {
        return new MalformedWorkload(
                "%s:%d:%d".formatted(file, row.getRecordNumber(), HEADER.indexOf(column) + 1),
                "the field %s (%s) is not valid: %s".formatted(column, text(row, column), expected));
    }
}
