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

    static final long FORGOTTEN_SECONDS = 3600;

    /** When each sentence was seen last, seconds since the epoch. */
    private final Map<About, Map<String, Long>> told = new HashMap<>();

    private record About(String kind, String namespace, String name, String reason) {}

    /** Those of a cycle's notices that are to be told now; O(notices + what is remembered). */
    public synchronized List<Notice> fresh(List<Notice> notices, long now) {
        List<Notice> fresh = new ArrayList<>();
        for (Notice notice : notices) {
            About about = new About(notice.kind(), notice.namespace(), notice.name(), notice.reason());
            if (isNew(told(about), notice.message(), now, true)) {
                fresh.add(notice);
            }
        }
        told.values().forEach(sentences -> sentences.values().removeIf(seen -> seen < now - FORGOTTEN_SECONDS));
        told.values().removeIf(Map::isEmpty);
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
        return topic == null || isNew(told(about(record, announcement.reason())), topic, now, tells);
    }

    /** A gang has a window: what it is told when it waits again is new, but for a record that is refused. */
    public synchronized void forget(GangRecord record) {
        for (EventRecorder.Reason reason : EventRecorder.Reason.values()) {
            if (reason != EventRecorder.Reason.WRITE_REFUSED) {
                told.remove(about(record, reason));
            }
        }
    }

    /** A record that is made again is another gang's; of a gang without one it is not known when it was seen first. */
    private static About about(GangRecord record, EventRecorder.Reason reason) {
        return new About(
                "Reservation",
                record.gang().namespace(),
                record.gang().name(),
                reason.key()
                        + (record.version().isEmpty() ? 0 : record.history().seen()));
    }

    private Map<String, Long> told(About about) {
        return told.computeIfAbsent(about, _ -> new HashMap<>());
    }

    private static boolean isNew(Map<String, Long> sentences, String sentence, long now, boolean tells) {
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
    }

    /** How many objects and reasons are remembered. */
    int size() {
        return told.size();
    }
}
