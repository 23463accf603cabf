package io.slotwise.testing;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;
import io.slotwise.live.ClusterView;
import io.slotwise.live.Facts;
import io.slotwise.live.Member;
import io.slotwise.live.Settings;
import io.slotwise.live.Standing;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Some gangs, for whoever answers from them; nothing is planned from it. */
public record GangsView(Supplier<Collection<Standing>> gangs) implements ClusterView {
    @Override
    public boolean ready() {
        return true;
    }

    @Override
    public Collection<Standing> standings() {
        return gangs.get();
    }

    @Override
    public @Nullable Standing standing(GangId gang) {
        return standings().stream()
                .filter(standing -> standing.gang().equals(gang))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Facts facts() {
        throw notPlanned();
    }

    @Override
    public List<Member> members(Standing standing) {
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
    public Intaken take(Settings settings, Collection<Standing> standings, long now) {
        throw notPlanned();
    }

    private static UnsupportedOperationException notPlanned() {
        return new UnsupportedOperationException("These gangs are looked at, not planned.");
    }
}
