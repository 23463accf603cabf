package io.slotwise.kubernetes.manifest.prices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue.Offer;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceCatalogueTest {
    private static final String HEADER = "instance_type,region,capacity_type,price,performance,watts\n";

    @Test
    void theMostSpecificRowWithAFigureGivesIt() {
        PriceCatalogue catalogue = read("""
                # a comment
                m5,,,4,2,
                m5,eu,,3,,

                m5,,spot,2,,300
                m5,eu,spot,1,,
                """);

        assertThat(catalogue.offer(node("m5", "us", "on-demand"))).isEqualTo(offer("4", "2"));
        assertThat(catalogue.offer(node("m5", "eu", "on-demand"))).isEqualTo(offer("3", "2"));
        assertThat(catalogue.offer(node("m5", "us", "spot"))).isEqualTo(offer("2", "2"));
        assertThat(catalogue.offer(node("m5", "eu", "spot"))).isEqualTo(offer("1", "2"));
        assertThat(catalogue.offer(Map.of(AnnotationKeys.INSTANCE_TYPE, "m5"))).isEqualTo(offer("4", "2"));
        assertThat(catalogue.offer(node("m6", "eu", "spot"))).isEqualTo(Offer.UNKNOWN);
        assertThat(catalogue.offer(Map.of())).isEqualTo(Offer.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "karpenter.sh/capacity-type, spot, spot",
        "karpenter.sh/capacity-type, on-demand, on-demand",
        "karpenter.sh/capacity-type, reserved, reserved",
        "eks.amazonaws.com/capacityType, SPOT, spot",
        "eks.amazonaws.com/capacityType, ON_DEMAND, on-demand",
        "cloud.google.com/gke-spot, true, spot",
        "cloud.google.com/gke-preemptible, true, spot",
        "cloud.google.com/gke-provisioning, spot, spot",
        "cloud.google.com/gke-provisioning, standard, on-demand",
        "kubernetes.azure.com/scalesetpriority, spot, spot",
        "kubernetes.azure.com/scalesetpriority, regular, on-demand",
        "other, spot, on-demand"
    })
    void knowsTheCloudsOwnCapacityTypes(String key, String value, String capacityType) {
        assertThat(PriceCatalogue.capacityType(Map.of(key, value))).isEqualTo(capacityType);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m5,,,cheap,, | c.csv, line 2, column price: the value (cheap) is not valid: expected a "
                        + "decimal number such as 1.25",
                "m5,,,1000001,, | c.csv, line 2, column price: the value (1000001) is not valid: "
                        + "expected at most 1000000",
                "m5,,,1,0, | c.csv, line 2, column performance: the value (0) is not valid: expected a "
                        + "number greater than 0",
                "m5,,,1,1000001, | c.csv, line 2, column performance: the value (1000001) is not valid: "
                        + "expected at most 1000000",
                "m5,,,1,1,x | c.csv, line 2, column watts: the value (x) is not valid: expected whole watts",
                "m5,,,1,1,0 | c.csv, line 2, column watts: the value (0) is not valid: expected between "
                        + "1 and 1000000 watts",
                "',,,1,1,' | c.csv, line 2, column instance_type: the value () is not valid: expected an instance type",
                "m5,,,1 | c.csv, line 2: 4 columns: expected 6 "
                        + "(instance_type,region,capacity_type,price,performance,watts)"
            })
    void refusesARowWithFileLineAndColumn(String row, String message) {
        assertThatThrownBy(() -> read(row + "\n"))
                .isInstanceOf(InvalidManifest.class)
                .hasMessage(message);
    }

    @Test
    void refusesTheSameRowTwice() {
        assertThatThrownBy(() -> read("m5,eu,spot,1,,\nm5,eu,,1,,\nm5,eu,spot,2,,\n"))
                .isInstanceOf(InvalidManifest.class)
                .hasMessage("c.csv, line 4: the same instance type (m5), region (eu) and capacity type (spot) as in "
                        + "line 2: expected one row");
    }

    @Test
    void refusesAnotherHeader(@TempDir Path folder) {
        assertThatThrownBy(() -> PriceCatalogue.read(new StringReader("type,price\n"), "c.csv"))
                .hasMessage("c.csv, line 1: the header is type,price: expected "
                        + "instance_type,region,capacity_type,price,performance,watts");
        assertThatThrownBy(() -> PriceCatalogue.read(new StringReader(""), "c.csv"))
                .hasMessage(
                        "c.csv: empty: expected the header instance_type,region,capacity_type,price,performance,watts");
        assertThatThrownBy(() -> PriceCatalogue.read(folder.resolve("none.csv")))
                .isInstanceOf(InvalidManifest.class)
                .hasMessageEndingWith("none.csv: no such file: expected a price catalogue");
    }

    @Test
    void theBundledCatalogueKnowsPublicPrices() {
        PriceCatalogue bundled = PriceCatalogue.bundled();

        assertThat(bundled.offer(node("m5.large", "us-east-1", "on-demand"))).isEqualTo(offer("0.096", "1"));
        assertThat(bundled.offer(node("n2-standard-4", "us-central1", "spot")))
                .isEqualTo(new Offer(Money.parse("0.047"), null));
        assertThat(bundled.offer(node("m5.large", "mars-1", "on-demand"))).isEqualTo(Offer.UNKNOWN);
    }

    @Test
    void theChartShipsTheBundledCatalogue() throws Exception {
        Path chart = Path.of("helm/slotwise/files/prices.csv");
        assumeTrue(Files.exists(chart), "the chart has no catalogue: nothing to compare with");

        assertThat(Files.readString(chart))
                .as("%s must equal src/main/resources/io/slotwise/prices.csv", chart)
                .isEqualTo(Files.readString(Path.of("src/main/resources/io/slotwise/prices.csv")));
    }

    private static PriceCatalogue read(String rows) {
        return PriceCatalogue.read(new StringReader(HEADER + rows), "c.csv");
    }

    private static Offer offer(String price, String performance) {
        return new Offer(Money.parse(price), Performance.parse(performance));
    }

    private static Map<String, String> node(String type, String region, String capacityType) {
        return Map.of(
                AnnotationKeys.INSTANCE_TYPE,
                type,
                AnnotationKeys.REGION,
                region,
                AnnotationKeys.KARPENTER_CAPACITY_TYPE,
                capacityType);
    }
}
