package io.slotwise.live.port;

import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.record.GangRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which notices are told: each once, and again when it has not come up for an hour. Of one object and reason only some
 * sentences an hour are told, so that a user who changes a value again and again fills neither events nor the log nor
 * the memory. What gangs are told of why they wait is treated in the same way, by what it is about. May be called from
 * several threads.
 */
public final class NoticeFilter {
    /** Sentences about one object for one reason within {@link #FORGOTTEN_SECONDS}. */
    static final int MOST = 5;

    /** Objects and reasons of one namespace within {@link #FORGOTTEN_SECONDS}; of objects without one any number. */
    static final int MOST_OF_NAMESPACE = 5_000;

    static final long FORGOTTEN_SECONDS = 3600;

    /** When each sentence was seen last, seconds since the epoch. */
    private final Map<About, Map<String, Long>> told = new HashMap<>();
    /** How many of these are of each namespace. */
    private final Map<String, Integer> ofNamespace = new HashMap<>();

    private record About(String kind, String namespace, String name, String reason) {}

    /** Those of a cycle's notices that are to be told now; O(notices + what is remembered). */
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

    /** Whether a gang has not been told of this for an hour. What it has been told of is remembered as seen now. */
    public synchronized boolean isNew(GangRecord record, Announcement announcement, long now) {
        return isNew(record, announcement, now, false);
    }

    /** The same of something that is told now. */
    public synchronized boolean tell(GangRecord record, Announcement announcement, long now) {
        return isNew(record, announcement, now, true);
    }

    private boolean isNew(GangRecord record, Announcement announcement, long now, boolean tells) {
        String topic = announcement.topic();
        return topic == null || isNew(about(record, announcement.reason()), topic, now, tells);
    }

    /** A gang has a window: what it is told when it waits again is new, but for a record that is refused. */
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

    /** A record that is made again is another gang's; those of a gang without one are the same. */
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

    /** Another replica may have told something since: all is new. */
    public synchronized void forget() {
        told.clear();
        ofNamespace.clear();
    }

    /** How many objects and reasons are remembered. */
    int size() {
        return told.size();
    }
}
