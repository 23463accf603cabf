package io.slotwise.it.load;

import io.slotwise.it.AuditLog.Entry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of a scheduler's requests by kind, without leases and watches.
 *
 * @param counts by the verb and the resource with its subresource, and the status if refused
 */
record Requests(Map<String, Integer> counts) {
    Requests {
        counts = Map.copyOf(counts);
    }

    static Requests of(List<Entry> entries) {
        Map<String, Integer> counts = new TreeMap<>();
        entries.stream()
                .filter(entry -> Programs.isOfContender(entry.user()))
                .forEach(entry -> counts.merge(kind(entry), 1, Integer::sum));
        return new Requests(counts);
    }

    private static String kind(Entry entry) {
        String kind = entry.verb() + " " + (entry.resource().isEmpty() ? "other paths" : entry.resource());
        return entry.succeeded() ? kind : kind + " answered " + entry.code();
    }

    int count(String kind) {
        return counts.getOrDefault(kind, 0);
    }
}
