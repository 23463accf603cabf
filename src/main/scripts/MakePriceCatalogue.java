import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the price catalogue that ships with Slotwise from two tables of list prices.
 *
 * <p>{@code java src/main/scripts/MakePriceCatalogue.java AWS.csv GCE.csv > src/main/resources/io/slotwise/prices.csv}
 *
 * <p>AWS.csv has the columns {@code region,instance_type,vcpu,price_per_hour_usd,coremark_iter_per_s}, GCE.csv {@code
 * region,instance_type,price_per_hour_usd,spot_price_per_hour_usd}, both in any order, next to others. The header below
 * names where the figures come from.
 */
public final class MakePriceCatalogue {
    /** The instance type whose CoreMark per virtual CPU is performance 1. */
    private static final String REFERENCE = "m5.large";

    /** The autoscaler skews the prices of these on purpose; they are no list prices. */
    private static final Set<String> SKEWED = Set.of("e2-micro", "e2-small", "e2-medium");

    private static final String HEADER =
            """
            # Public list prices of cloud instance types, USD per hour, Linux: what Slotwise assumes for a node without the
            # label slotwise.io/price. Prices change and discounts differ: check them, or bring a file of your own.
            # AWS: on demand, us-east-1, as of 2026-07-20; aws/karpenter-provider-aws (Apache-2.0),
            #   zz_generated.pricing_aws.go at 1d927085; gaps from kubernetes/autoscaler
            #   (Apache-2.0), ec2_instance_types.go.
            # Google Cloud: on demand and spot, us-central1; kubernetes/autoscaler (Apache-2.0),
            #   gce_price_info.go at 55c37cd5, without e2-micro, e2-small and e2-medium, whose prices are skewed there.
            # performance: CoreMark iterations per second and virtual CPU relative to m5.large on AWS (%s), from
            #   vantage-sh/ec2instances.info (MIT) at 4ef36cd2; empty where not measured, which counts as 1.
            # watts: empty, not published.
            # Made by src/main/scripts/MakePriceCatalogue.java; edit that, not this.
            instance_type,region,capacity_type,price,performance,watts
            """;

    private MakePriceCatalogue() {}

    /** Writes the catalogue to standard output. */
    public static void main(String[] args) throws IOException {
        List<Map<String, String>> aws = table(Path.of(args[0]));
        List<Map<String, String>> gce = table(Path.of(args[1]));
        BigDecimal reference = aws.stream()
                .filter(row -> row.get("instance_type").equals(REFERENCE))
                .map(MakePriceCatalogue::coreMarkPerCpu)
                .findFirst()
                .orElseThrow();
        TreeSet<String> lines = new TreeSet<>();
        for (Map<String, String> row : aws) {
            BigDecimal speed = coreMarkPerCpu(row);
            String performance =
                    speed.signum() == 0 ? "" : plain(speed.divide(reference, 3, RoundingMode.HALF_EVEN));
            add(lines, row, "on-demand", row.get("price_per_hour_usd"), performance);
        }
        for (Map<String, String> row : gce) {
            if (!SKEWED.contains(row.get("instance_type"))) {
                add(lines, row, "on-demand", row.get("price_per_hour_usd"), "");
                add(lines, row, "spot", row.get("spot_price_per_hour_usd"), "");
            }
        }
        System.out.print(HEADER.formatted(plain(reference.setScale(1, RoundingMode.HALF_EVEN))));
        lines.forEach(line -> System.out.print(line + "\n"));
    }

    private static void add(
            TreeSet<String> lines, Map<String, String> row, String capacityType, String price, String performance) {
        if (!price.isEmpty() && new BigDecimal(price).signum() > 0) {
            lines.add(String.join(
                    ",",
                    row.get("instance_type"),
                    row.get("region"),
                    capacityType,
                    plain(new BigDecimal(price).setScale(6, RoundingMode.HALF_EVEN)),
                    performance,
                    ""));
        }
    }

    /** Zero where it was not measured. */
    private static BigDecimal coreMarkPerCpu(Map<String, String> row) {
        String coreMark = row.get("coremark_iter_per_s");
        String cpus = row.get("vcpu");
        return coreMark.isEmpty() || cpus.isEmpty()
                ? BigDecimal.ZERO
                : new BigDecimal(coreMark).divide(new BigDecimal(cpus), 6, RoundingMode.HALF_EVEN);
    }

    private static String plain(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return (stripped.scale() < 0 ? stripped.setScale(0) : stripped).toPlainString();
    }

    private static List<Map<String, String>> table(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        String[] columns = lines.getFirst().split(",", -1);
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < columns.length; i++) {
                row.put(columns[i], cells[i]);
            }
            rows.add(row);
        }
        return rows;
    }
}
