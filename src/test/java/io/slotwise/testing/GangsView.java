package io.slotwise.testing;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.settings.LoopSettings;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A view with some gangs, for code that answers questions about gangs. Nothing can be planned from it. */
public record GangsView(Supplier<Collection<GangRecord>> gangs) implements ClusterView {
    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public Collection<GangRecord> records() {
        return gangs.get();
    }

    @Override
    public @Nullable GangRecord record(GangId gang) {
        return records().stream()
                .filter(record -> record.gang().equals(gang))
                .findFirst()
                .orElse(null);
    }

    @Override
    public ClusterFacts facts() {
        throw notPlanned();
    }

    @Override
    public List<Member> members(GangRecord record) {
        throw notPlanned();
    }

    @Override
    public boolean usable(String node) {
        throw notPlanned();
    }

    @Override
    public boolean hasRoom(Window window, Collection<Window> others) {
        throw notPlanned();
    }

    @Override
    public Intaken take(LoopSettings settings, Collection<GangRecord> records, long now) {
        throw notPlanned();
    }

    private static UnsupportedOperationException notPlanned() {
        return new UnsupportedOperationException("These gangs are looked at, not planned.");
    }
}
