package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
class MetricsResourceTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TestHTTPResource("/metrics")
    private URI metrics = URI.create("http://127.0.0.1");

    /** Prometheus sends the first header, a browser the second. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1"
                        + " | text/plain; version=0.0.4; charset=utf-8",
                "text/html,application/xml;q=0.9,*/*;q=0.8 | text/plain; version=0.0.4; charset=utf-8",
                "*/* | application/openmetrics-text; version=1.0.0; charset=utf-8",
                "application/openmetrics-text | application/openmetrics-text; version=1.0.0; charset=utf-8"
            })
    void theFormatIsOneThatIsAccepted(String accepted, String format) throws Exception {
        HttpResponse<String> answer = get("Accept", accepted);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue(format);
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(answer.body().endsWith("# EOF\n")).isEqualTo(format.contains("openmetrics"));
    }

    @Test
    void aClientThatAcceptsNeitherFormatIsToldSo() throws Exception {
        assertThat(get("Accept", "application/json").statusCode()).isEqualTo(406);
    }

    @Test
    void namesAndLabelsAreThoseOfThePublicContract() throws Exception {
        List<String> lines = get("Accept", "text/plain").body().lines().toList();

        assertThat(lines)
                .contains(
                        "# HELP slotwise_partial_gangs_total gangs of which some members were bound and others refused",
                        "# TYPE slotwise_partial_gangs_total counter",
                        "# TYPE slotwise_leader gauge",
                        "# TYPE slotwise_cycle_seconds histogram",
                        "# TYPE slotwise_gang_wait_seconds histogram",
                        "# TYPE slotwise_gang_wait_seconds_max gauge",
                        "# TYPE slotwise_user_satisfaction summary")
                .anyMatch(line -> line.startsWith("slotwise_partial_gangs_total "))
                .anyMatch(line -> line.startsWith("slotwise_gang_wait_seconds_bucket{le=\"60.0\"} "))
                .anyMatch(line -> line.startsWith("slotwise_gang_starts_total{punctuality=\"late\"} "))
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"));
    }

    private HttpResponse<String> get(String header, String value) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(metrics).header(header, value).build(), HttpResponse.BodyHandlers.ofString());
    }
}
