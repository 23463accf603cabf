package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.slotwise.it.AuditLog;
import io.slotwise.it.faults.FaultChecker.Told;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The causes of lost windows by events, with the API server's times, since the writers' clocks may be wrong. */
final class ToldCauses {
    private ToldCauses() {}

    /** Returns the causes in the events about Reservations. */
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

    /** In whole seconds if the audit log does not have the event. */
    private static Instant at(Event event, Map<String, Instant> made) {
        Instant known = made.get(
                event.getMetadata().getNamespace() + "/" + event.getMetadata().getName());
        return known == null ? Instant.parse(event.getMetadata().getCreationTimestamp()) : known;
    }
}
