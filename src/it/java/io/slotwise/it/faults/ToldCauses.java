package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.slotwise.it.AuditLog;
import io.slotwise.it.faults.FaultChecker.Told;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Why windows went, as events say, and when the API server got them: the clock of who says it may be wrong. */
final class ToldCauses {
    private ToldCauses() {}

    /** What the events about Reservations among these say. */
    static List<Told> of(List<Event> events, AuditLog audit) {
        Map<String, Instant> made = new HashMap<>();
        audit.read(
                entry -> entry.resource().equals("events") && entry.verb().equals("create") && entry.succeeded(),
                entry -> made.put(entry.key(), entry.answered()));
        return events.stream()
                .filter(event -> event.getRegarding().getKind().equals("Reservation"))
                .map(event -> new Told(event.getRegarding().getName(), at(event, made), event.getNote()))
                .toList();
    }

    /** By whole seconds where the audit log does not have the event. */
    private static Instant at(Event event, Map<String, Instant> made) {
        Instant known = made.get(
                event.getMetadata().getNamespace() + "/" + event.getMetadata().getName());
        return known == null ? Instant.parse(event.getMetadata().getCreationTimestamp()) : known;
    }
}
