package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Port: the refusals that keep gangs from being bound in any window. */
@FunctionalInterface
public interface StartRefusals {
    StartRefusals NONE = (_, _, _) -> null;

    /** Returns the refusal of {@link DirectStarter#refusal}. */
    @Nullable
    String of(GangId gang, Collection<String> pods, boolean tries);
}
