package io.slotwise.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.slotwise.it.AuditLog;
import io.slotwise.it.faults.FaultChecker.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToldCausesTest {
    private static final String CREATED = """
            {"verb":"create","objectRef":{"resource":"events","namespace":"ample","name":"g.1",\
            "apiGroup":"events.k8s.io"},"responseStatus":{"code":201},\
            "requestReceivedTimestamp":"2026-01-01T10:00:00.081000Z","stageTimestamp":"2026-01-01T10:00:00.105000Z"}
            """;

    @TempDir
    private Path folder;

    private AuditLog audit;

    @BeforeEach
    void write() throws IOException {
        Path file = folder.resolve("audit.jsonl");
        Files.writeString(file, CREATED);
        audit = new AuditLog(file);
    }

    @Test
    void aCauseHasTheApiServersTimeNotItsWriters() {
        assertThat(ToldCauses.of(List.of(event("g.1", "Reservation")), audit))
                .containsExactly(new Told("g", Instant.parse("2026-01-01T10:00:00.105Z"), "displaced: by h"));
    }

    @Test
    void eventsMissingInTheAuditLogHaveTheirSecondOfStorage() {
        assertThat(ToldCauses.of(List.of(event("g.2", "Reservation")), audit))
                .extracting(Told::at)
                .containsExactly(Instant.parse("2026-01-01T10:00:00Z"));
    }

    @Test
    void eventsOfPodsTellOfNoGang() {
        assertThat(ToldCauses.of(List.of(event("g.1", "Pod")), audit)).isEmpty();
    }

    /** An event whose writer's clock is seven seconds ahead. */
    private static Event event(String name, String about) {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace("ample")
                .withName(name)
                .withCreationTimestamp("2026-01-01T10:00:00Z")
                .endMetadata()
                .withEventTime(new MicroTime("2026-01-01T10:00:07.081000Z"))
                .withNewRegarding()
                .withKind(about)
                .withName("g")
                .endRegarding()
                .withNote("displaced: by h")
                .build();
    }
}
