package io.slotwise.demo;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/** The nodes of a demo: cloud instance types at list prices, on demand, on spot or owned. */
final class DemoFleet {
    static final String GPU = "nvidia.com/gpu";

    /** The initial price of spot nodes, percent of the list price. */
    private static final long SPOT_PERCENT = 35;

    /** The night price of owned nodes, percent. */
    private static final long NIGHT_PERCENT = 50;

    private static final long DAY = Duration.ofDays(1).toSeconds();
    private static final long NIGHT_BEGINS = Duration.ofHours(20).toSeconds();
    private static final long NIGHT_ENDS = Duration.ofHours(6).toSeconds();
    private static final int NIGHTS = 400;
    private static final String REGION = "us-east-1";
    private static final String SPOT = "spot";
    private static final String RESOURCE = "/io/slotwise/demo/instance-types.csv";
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setCommentMarker('#')
            .setHeader()
            .setSkipHeaderRecord(true)
            .get();

    private DemoFleet() {}

    private record Type(
            String name,
            String capacity,
            String owner,
            int share,
            Resources allocatable,
            Money price,
            Performance performance) {
        boolean spot() {
            return capacity.equals(SPOT);
        }
    }

    /**
     * Returns {@code count} nodes, of all types in proportion, in three zones; {@code from} is the demo's first second.
     */
    static List<Node> nodes(int count, long from) {
        List<Type> types = types();
        int all = types.stream().mapToInt(Type::share).sum();
        List<Node> nodes = new ArrayList<>();
        for (Type type : types) {
            int before = nodes.size();
            int share = (int) Math.ceilDiv((long) count * type.share, all);
            for (int i = 0; i < share && nodes.size() < count; i++) {
                nodes.add(node(type, nodes.size() - before + 1, from));
            }
        }
        return nodes;
    }

    private static Node node(Type type, int number, long from) {
        String name = "%s-%s-%02d".formatted(type.spot() ? SPOT : type.name.split("\\.", -1)[0], type.owner, number);
        long price = type.spot() ? type.price.micros() * SPOT_PERCENT / 100 : type.price.micros();
        boolean nights = type.owner.equals("physics") || type.owner.equals("genomics");
        return new Node(
                name,
                Map.of(
                        "kubernetes.io/hostname",
                        name,
                        "node.kubernetes.io/instance-type",
                        type.name,
                        "topology.kubernetes.io/region",
                        REGION,
                        "topology.kubernetes.io/zone",
                        REGION + "abc".charAt(number % 3),
                        "karpenter.sh/capacity-type",
                        type.capacity),
                List.of(),
                true,
                type.allocatable,
                type.performance,
                type.owner,
                nights ? nightly(price, from) : StepFunction.constant(price),
                List.of());
    }

    private static StepFunction nightly(long price, long from) {
        long day = Math.floorDiv(from, DAY) * DAY - DAY;
        StepFunction.Builder builder = StepFunction.startingAt(price);
        for (int night = 0; night < NIGHTS; night++) {
            builder.then(day + NIGHT_BEGINS, price * NIGHT_PERCENT / 100);
            day += DAY;
            builder.then(day + NIGHT_ENDS, price);
        }
        return builder.build();
    }

    private static List<Type> types() {
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(DemoFleet.class.getResourceAsStream(RESOURCE), RESOURCE),
                StandardCharsets.UTF_8)) {
            List<Type> types = new ArrayList<>();
            for (CSVRecord row : FORMAT.parse(reader)) {
                types.add(type(row));
            }
            return types;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Type type(CSVRecord row) {
        String name = row.get("instance_type");
        PriceCatalogue.Offer offer = PriceCatalogue.bundled()
                .offer(Map.of("node.kubernetes.io/instance-type", name, "topology.kubernetes.io/region", REGION));
        return new Type(
                name,
                row.get("capacity_type"),
                row.get("owner"),
                Integer.parseInt(row.get("nodes")),
                Resources.of(Map.of(
                        Resources.CPU,
                        Long.parseLong(row.get("cpu_milli")),
                        Resources.MEMORY,
                        Long.parseLong(row.get("memory_mib")) << 20,
                        GPU,
                        Long.parseLong(row.get("gpus")),
                        Resources.PODS,
                        Long.parseLong(row.get("pods")))),
                Objects.requireNonNull(offer.price(), name),
                Objects.requireNonNull(offer.performance(), name));
    }
}
