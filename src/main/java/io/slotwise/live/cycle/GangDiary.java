package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.record.GangRecord;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers what was told of gangs, for who asks later: the last things of each, of the gangs that something was told
 * of last. It is this replica's own and begins anew with it; what has to outlive a replica is in the gangs' records.
 * May be called from several threads.
 */
public final class GangDiary implements EventRecorder {
    private static final int MOST_GANGS = 4_000;
    private static final int MOST_ENTRIES = 30;

    private final EventRecorder told;
    private final InstantSource clock;
    private final Map<GangId, Deque<Entry>> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** Something that was told in a second. */
    public record Entry(long second, Announcement what) {}

    /** A diary of what the given recorder is told. */
    public GangDiary(EventRecorder told, InstantSource clock) {
        this.told = told;
        this.clock = clock;
    }

    @Override
    public void announce(GangRecord standing, Announcement announcement) {
        write(standing.gang(), new Entry(clock.instant().getEpochSecond(), announcement));
        told.announce(standing, announcement);
    }

    @Override
    public void notice(ClusterView.Notice notice) {
        told.notice(notice);
    }

    private synchronized void write(GangId gang, Entry entry) {
        Deque<Entry> page = entries.computeIfAbsent(gang, _ -> new ArrayDeque<>());
        page.addLast(entry);
        if (page.size() > MOST_ENTRIES) {
            page.removeFirst();
        }
        if (entries.size() > MOST_GANGS) {
            entries.remove(entries.keySet().iterator().next());
        }
    }

    /** What was told of a gang, oldest first. */
    public synchronized List<Entry> of(GangId gang) {
        Deque<Entry> page = entries.get(gang);
        return page == null ? List.of() : List.copyOf(page);
    }
}
