package io.slotwise.kubernetes.manifest.prices;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prices of instance types, for nodes without a price of their own: a CSV file with the columns {@code
 * instance_type,region,capacity_type,price,performance,watts}.
 *
 * <p>A row applies to the nodes of its instance type; an empty region or capacity type matches any. Each figure comes
 * from the most specific matching row that has it: capacity type and region stated, then only the capacity type, then
 * only the region, then neither. Price is per node and hour; performance and watts may be empty.
 *
 * <p>Immutable and thread-safe. A look-up takes time proportional to the rows of one instance type.
 */
public final class PriceCatalogue {
    public static final PriceCatalogue EMPTY = new PriceCatalogue(Map::of);

    private static final String BUNDLED = "/io/slotwise/prices.csv";
    private static final Comparator<Row> MOST_SPECIFIC_FIRST = Comparator.comparing(
                    (Row row) -> row.capacityType().isEmpty())
            .thenComparing(row -> row.region().isEmpty());

    private final Supplier<Map<String, List<Row>>> rows;

    private PriceCatalogue(Supplier<Map<String, List<Row>>> rows) {
        this.rows = rows;
    }

    /**
     * A row of the catalogue.
     *
     * @param region empty for any
     * @param capacityType {@code on-demand}, {@code spot} or another word of the cloud; empty for any
     * @param price per hour, or null
     * @param performance relative to the reference node, or null
     * @param watts at full load, or null
     */
    record Row(
            String instanceType,
            String region,
            String capacityType,
            @Nullable Money price,
            @Nullable Performance performance,
            @Nullable Long watts) {}

    /**
     * The catalogue's figures for a node.
     *
     * @param price per hour, or null
     * @param performance relative to the reference node, or null
     */
    public record Offer(@Nullable Money price, @Nullable Performance performance) {
        public static final Offer UNKNOWN = new Offer(null, null);
    }

    /** Returns the catalogue that comes with the program. It is loaded for the first node that needs it. */
    public static PriceCatalogue bundled() {
        return Bundled.CATALOGUE;
    }

    private static final class Bundled {
        static final PriceCatalogue CATALOGUE = new PriceCatalogue(Bundled::rows);

        private static final class Rows {
            static final Map<String, List<Row>> ALL = load();
        }

        private static Map<String, List<Row>> rows() {
            return Rows.ALL;
        }

        private static Map<String, List<Row>> load() {
            try (InputStream stream = PriceCatalogue.class.getResourceAsStream(BUNDLED)) {
                if (stream == null) {
                    throw new IllegalStateException("The bundled price catalogue (%s) is missing.".formatted(BUNDLED));
                }
                return sorted(CatalogueRows.read(
                        new InputStreamReader(stream, StandardCharsets.UTF_8), "the bundled price catalogue"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static PriceCatalogue read(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            return read(reader, file.toString());
        } catch (NoSuchFileException e) {
            throw new InvalidManifest("%s: no such file: expected a price catalogue".formatted(file));
        } catch (IOException e) {
            throw new InvalidManifest("%s: cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    /** Reads a catalogue; {@code name} stands for it in messages. */
    public static PriceCatalogue read(Reader reader, String name) {
        Map<String, List<Row>> rows = sorted(CatalogueRows.read(reader, name));
        return new PriceCatalogue(() -> rows);
    }

    public Offer offer(Map<String, String> labels) {
        String instanceType = labels.get(AnnotationKeys.INSTANCE_TYPE);
        List<Row> candidates = instanceType == null ? null : rows.get().get(instanceType);
        if (candidates == null) {
            return Offer.UNKNOWN;
        }
        String region = labels.getOrDefault(AnnotationKeys.REGION, "");
        String capacityType = capacityType(labels);
        List<Row> matching = candidates.stream()
                .filter(row -> row.region.isEmpty() || row.region.equals(region))
                .filter(row -> row.capacityType.isEmpty() || row.capacityType.equals(capacityType))
                .toList();
        return new Offer(first(matching, Row::price), first(matching, Row::performance));
    }

    private static <T> @Nullable T first(List<Row> rows, Function<Row, @Nullable T> figure) {
        for (Row row : rows) {
            T value = figure.apply(row);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /**
     * Returns the capacity type in Karpenter's words. Clouds label nodes that are not on demand, so a node without a
     * label is.
     */
    static String capacityType(Map<String, String> labels) {
        String karpenter = labels.get(AnnotationKeys.KARPENTER_CAPACITY_TYPE);
        if (karpenter != null) {
            return karpenter.toLowerCase(Locale.ROOT);
        }
        String eks = labels.get(AnnotationKeys.EKS_CAPACITY_TYPE);
        if (eks != null) {
            return eks.toLowerCase(Locale.ROOT).replace('_', '-');
        }
        boolean spot = "true".equals(labels.get(AnnotationKeys.GKE_SPOT))
                || "true".equals(labels.get(AnnotationKeys.GKE_PREEMPTIBLE))
                || "spot".equals(labels.get(AnnotationKeys.GKE_PROVISIONING))
                || "preemptible".equals(labels.get(AnnotationKeys.GKE_PROVISIONING))
                || "spot".equals(labels.get(AnnotationKeys.AZURE_PRIORITY));
        return spot ? "spot" : "on-demand";
    }

    private static Map<String, List<Row>> sorted(List<Row> rows) {
        Map<String, List<Row>> byType = new TreeMap<>();
        rows.stream()
                .sorted(MOST_SPECIFIC_FIRST)
                .forEach(row -> byType.computeIfAbsent(row.instanceType, type -> new java.util.ArrayList<>())
                        .add(row));
        return byType;
    }
}
