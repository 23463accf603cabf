package io.slotwise.live.port;

import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.record.GangRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Selects the notices that are announced: each once, and again when it has not occurred for an hour. Per object and
 * reason there are only some sentences an hour, so that a user who changes a value repeatedly fills neither events nor
 * log nor memory. The reasons for which gangs wait are treated alike, by topic. Thread-safe.
 */
public final class NoticeFilter {
    /** The most sentences for one object and reason in {@link #FORGOTTEN_SECONDS}. */
    static final int MOST = 5;

    /** The most objects and reasons of a namespace in {@link #FORGOTTEN_SECONDS}; without a namespace no limit. */
    static final int MOST_OF_NAMESPACE = 5_000;

    static final long FORGOTTEN_SECONDS = 3600;

    /** The time at which each sentence was last seen, seconds since the epoch. */
    private final Map<About, Map<String, Long>> told = new HashMap<>();
    /** The number of these entries in each namespace. */
    private final Map<String, Integer> ofNamespace = new HashMap<>();

    private record About(String kind, String namespace, String name, String reason) {}

    /** Returns the notices to announce now. O(notices + entries). */
    public synchronized List<Notice> fresh(List<Notice> notices, long now) {
        List<Notice> fresh = new ArrayList<>();
        for (Notice notice : notices) {
            About about = new About(notice.kind(), notice.namespace(), notice.name(), notice.reason());
            if (isNew(about, notice.message(), now, true)) {
                fresh.add(notice);
            }
        }
        told.values().forEach(sentences -> sentences.values().removeIf(seen -> seen < now - FORGOTTEN_SECONDS));
        told.entrySet().removeIf(entry -> {
            boolean isOver = entry.getValue().isEmpty();
            if (isOver) {
                uncount(entry.getKey());
            }
            return isOver;
        });
        return fresh;
    }

    /** Returns whether a gang has not been told of this for an hour. An earlier announcement counts as seen now. */
    public synchronized boolean isNew(GangRecord record, Announcement announcement, long now) {
        return isNew(record, announcement, now, false);
    }

    /** Returns the same, and notes that it is announced now. */
    public synchronized boolean tell(GangRecord record, Announcement announcement, long now) {
        return isNew(record, announcement, now, true);
    }

    private boolean isNew(GangRecord record, Announcement announcement, long now, boolean tells) {
        String topic = announcement.topic();
        return topic == null || isNew(about(record, announcement.reason()), topic, now, tells);
    }

    /** Forgets the waiting reasons of a gang that has a window, but not a refused write of its record. */
    public synchronized void forget(GangRecord record) {
        for (EventRecorder.Reason reason : EventRecorder.Reason.values()) {
            if (reason != EventRecorder.Reason.WRITE_REFUSED) {
                About about = about(record, reason);
                if (told.remove(about) != null) {
                    uncount(about);
                }
            }
        }
    }

    /** The key has the UID, because a recreated record belongs to another gang. Gangs without a record count as one. */
    private static About about(GangRecord record, EventRecorder.Reason reason) {
        return new About(
                "Reservation", record.gang().namespace(), record.gang().name(), reason.key() + " " + record.uid());
    }

    private void uncount(About about) {
        ofNamespace.computeIfPresent(about.namespace(), (_, count) -> count == 1 ? null : count - 1);
    }

    private boolean isNew(About about, String sentence, long now, boolean tells) {
        Map<String, Long> sentences = told.get(about);
        if (sentences == null) {
            if (!about.namespace().isEmpty() && ofNamespace.getOrDefault(about.namespace(), 0) >= MOST_OF_NAMESPACE) {
                return false;
            }
            if (!tells) {
                return true;
            }
            sentences = new HashMap<>();
            told.put(about, sentences);
            ofNamespace.merge(about.namespace(), 1, Integer::sum);
        }
        boolean isKnown = sentences.containsKey(sentence);
        boolean isNew = !isKnown && sentences.size() < MOST;
        if (isKnown || (isNew && tells)) {
            sentences.put(sentence, now);
        }
        return isNew;
    }

    /** Forgets everything, because another replica may have made announcements since. */
    public synchronized void forget() {
        told.clear();
        ofNamespace.clear();
    }

    int size() {
        return told.size();
    }
}
