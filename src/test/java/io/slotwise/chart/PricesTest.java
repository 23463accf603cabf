package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PricesTest {

    @Test
    void theChartShipsTheProgramsOwnCatalogue() throws IOException {
        byte[] chart = Files.readAllBytes(Chart.FOLDER.resolve("files/prices.csv"));

        try (InputStream own = Objects.requireNonNull(getClass().getResourceAsStream("/io/slotwise/prices.csv"))) {
            assertThat(own.readAllBytes()).isEqualTo(chart);
        }
    }

    @Test
    void aCatalogueInTheValuesTakesItsPlace() {
        Chart.Rendered chart = Chart.rendered("""
                prices: |
                  # ours
                  instance_type,region,capacity_type,price,performance,watts
                  gpu-large,eu-1,on-demand,3.5,,
                """);

        assertThat(chart.one("ConfigMap", "slotwise").at("/data/prices.csv").asText())
                .isEqualTo("# "
                        + "ours\ninstance_type,region,capacity_type,"
                        + "price,performance,watts\ngpu-large,eu-1,on-demand,3.5,,\n");
    }
}
