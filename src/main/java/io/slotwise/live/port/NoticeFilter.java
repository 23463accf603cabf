package io.slotwise.live.port;

import io.slotwise.live.port.ClusterView.Notice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which notices are told: each once, and again when it has not come up for an hour. Of one object and reason only some
 * sentences an hour are told, so that a user who changes a value again and again fills neither events nor the log nor
 * the memory.
 */
public final class NoticeFilter {
    /** Sentences about one object for one reason within {@link #FORGOTTEN_SECONDS}. */
    static final int MOST = 5;

    static final long FORGOTTEN_SECONDS = 3600;

    /** When each sentence was seen last, seconds since the epoch. */
    private final Map<About, Map<String, Long>> told = new HashMap<>();

    private record About(String kind, String namespace, String name, String reason) {}

    /** Those of a cycle's notices that are to be told now; O(notices + what is remembered). */
    public List<Notice> fresh(List<Notice> notices, long now) {
        List<Notice> fresh = new ArrayList<>();
        for (Notice notice : notices) {
            About about = new About(notice.kind(), notice.namespace(), notice.name(), notice.reason());
            Map<String, Long> sentences = told.computeIfAbsent(about, key -> new HashMap<>());
            if (sentences.containsKey(notice.message())) {
                sentences.put(notice.message(), now);
            } else if (sentences.size() < MOST) {
                sentences.put(notice.message(), now);
                fresh.add(notice);
            }
        }
        told.values().forEach(sentences -> sentences.values().removeIf(seen -> seen < now - FORGOTTEN_SECONDS));
        told.values().removeIf(Map::isEmpty);
        return fresh;
    }

    /** How many objects and reasons are remembered. */
    int size() {
        return told.size();
    }
}
