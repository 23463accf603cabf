package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.record.GangRecord;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Remembers the last announcements of each gang, for later queries. Beyond the limit, the namespace with most gangs
 * loses the gang with the oldest news. The diary belongs to one replica; what has to outlive it is in the records.
 * Thread-safe.
 */
public final class GangDiary implements EventRecorder {
    private static final int MOST_GANGS = 4_000;
    private static final int MOST_ENTRIES = 30;

    private final EventRecorder events;
    private final InstantSource clock;
    /** The entries of each gang, by namespace. */
    private final SortedMap<String, LinkedHashMap<GangId, Deque<Entry>>> entries = new TreeMap<>();

    private int gangs;

    /** An announcement with the second in which it was made. */
    public record Entry(long second, Announcement announcement) {}

    public GangDiary(EventRecorder events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    @Override
    public void announce(GangRecord record, Announcement announcement) {
        write(record.gang(), new Entry(clock.instant().getEpochSecond(), announcement));
        events.announce(record, announcement);
    }

    @Override
    public void notice(ClusterView.Notice notice) {
        events.notice(notice);
    }

    @Override
    public void show(Collection<ClusterView.Notice> notices) {
        events.show(notices);
    }

    private synchronized void write(GangId gang, Entry entry) {
        LinkedHashMap<GangId, Deque<Entry>> own = entries.computeIfAbsent(gang.namespace(), _ -> new LinkedHashMap<>());
        Deque<Entry> page = own.remove(gang);
        if (page == null) {
            page = new ArrayDeque<>();
            gangs++;
        }
        own.put(gang, page);
        page.addLast(entry);
        if (page.size() > MOST_ENTRIES) {
            page.removeFirst();
        }
        if (gangs > MOST_GANGS) {
            forgetOne();
        }
    }

    /** Forgets the gang with the oldest news in the namespace with most gangs. O(namespaces). */
    private void forgetOne() {
        LinkedHashMap<GangId, Deque<Entry>> most =
                Collections.max(entries.values(), Comparator.comparingInt(LinkedHashMap::size));
        most.remove(most.firstEntry().getKey());
        entries.values().removeIf(LinkedHashMap::isEmpty);
        gangs--;
    }

    /** Returns the announcements of a gang, oldest first. */
    public synchronized List<Entry> of(GangId gang) {
        Deque<Entry> page =
                entries.getOrDefault(gang.namespace(), new LinkedHashMap<>()).get(gang);
        return page == null ? List.of() : List.copyOf(page);
    }
}
