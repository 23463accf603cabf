package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.slotwise.kubernetes.manifest.field.InvalidField;
import java.time.Instant;
import org.jboss.resteasy.reactive.common.util.QuarkusMultivaluedHashMap;
import org.junit.jupiter.api.Test;

class ReservationManifestResourceTest {
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();

    private static QuarkusMultivaluedHashMap<String, String> query(String... pairs) {
        QuarkusMultivaluedHashMap<String, String> query = new QuarkusMultivaluedHashMap<>();
        for (String pair : pairs) {
            query.add(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return query;
    }

    private static InvalidField refused(String... pairs) {
        return catchThrowableOfType(InvalidField.class, () -> ReservationManifestResource.manifest(query(pairs), NOW));
    }

    @Test
    void aDescriptionBecomesAManifest() {
        String manifest = ReservationManifestResource.manifest(
                query(
                        "name=demo",
                        "namespace=team",
                        "size=4",
                        "runtime=1h",
                        "cpu=4",
                        "nvidia.com/gpu=1",
                        "start=2030-01-01T08:00:00Z"),
                NOW);

        assertThat(manifest)
                .contains("kind: \"Reservation\"", "name: \"demo\"", "namespace: \"team\"", "nvidia.com/gpu: \"1\"")
                .contains("start: \"2030-01-01T08:00:00Z\"", "end: \"2030-01-01T09:00:00Z\"");
    }

    @Test
    void aWrongParameterIsNamedByItsField() {
        assertThat(refused("namespace=team", "size=4")).hasMessageStartingWith("`name` is missing");
        assertThat(refused("name=a", "namespace=team", "size=few", "runtime=1h", "cpu=1"))
                .hasMessage("`size` (few) is not valid: expected a whole number")
                .extracting(InvalidField::field)
                .isEqualTo("size");
        assertThat(refused("name=a", "namespace=team", "size=4", "start=2029-01-01T00:00:00Z", "runtime=1h", "cpu=1")
                        .field())
                .isEqualTo("start");
        assertThat(refused("name=a", "namespace=team", "size=4", "colour=red"))
                .hasMessageStartingWith("`colour` (red) is not known: expected one of budget");
        assertThat(refused("name=a", "name=b")).hasMessage("`name` is given 2 times: expected it once");
    }
}
