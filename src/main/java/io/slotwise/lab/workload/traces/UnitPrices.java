package io.slotwise.lab.workload.traces;

import io.slotwise.core.money.Money;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.log.CsvTable;
import io.slotwise.lab.workload.log.TextSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The prices of a node's parts, for nodes without a price: a core, a gigabyte of memory and a GPU of a model, each per
 * hour. A node costs the sum of its parts, rounded down to a micro-unit.
 *
 * <p>The program's list is derived from public prices of whole instances, which it names.
 */
final class UnitPrices {
    private static final String BUNDLED = "unit-prices.csv";
    private static final String CORE = "core";
    private static final String GIBIBYTE = "gibibyte";
    private static final String GPU = "gpu/";
    private static final long MIB_PER_GIB = 1024;

    private final SortedMap<String, Money> prices;

    private UnitPrices(SortedMap<String, Money> prices) {
        this.prices = Collections.unmodifiableSortedMap(prices);
    }

    static UnitPrices bundled() {
        return read(TextSource.of(BUNDLED, UnitPrices::text));
    }

    private static InputStream text() {
        try (InputStream stream = Objects.requireNonNull(UnitPrices.class.getResourceAsStream(BUNDLED), BUNDLED)) {
            return new ByteArrayInputStream(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a list with the columns {@code part,price}; lines that begin with {@code #} are comments. */
    private static UnitPrices read(TextSource source) {
        SortedMap<String, Money> prices = new TreeMap<>();
        CsvTable.read(source, (table, row) -> {
            int price = table.column("price");
            prices.put(
                    row.text(table.column("part"), "the part"), CsvTable.value(row, price, "the price", Money::parse));
        });
        return new UnitPrices(prices);
    }

    Set<String> gpuModels() {
        Set<String> models = new TreeSet<>();
        prices.keySet().stream()
                .filter(part -> part.startsWith(GPU))
                .forEach(part -> models.add(part.substring(GPU.length())));
        return models;
    }

    /** Returns the price of a node per hour, or null if the price of one of its GPUs is unknown. */
    @Nullable
    Money of(ListedNode.Capacity capacity) {
        Money money = capacity.gpus() == 0 ? Money.ZERO : prices.get(GPU + capacity.gpuModel());
        if (money == null) {
            return null;
        }
        long micros = Math.multiplyExact(capacity.milliCores(), price(CORE)) / Processor.MILLI_CORES
                + Math.multiplyExact(capacity.memory(), price(GIBIBYTE)) / MIB_PER_GIB
                + Math.multiplyExact(capacity.gpus(), money.micros());
        return new Money(micros);
    }

    private long price(String part) {
        return Objects.requireNonNull(prices.get(part), part).micros();
    }
}
