package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Port: what keeps gangs from being bound, whatever their windows. */
@FunctionalInterface
public interface StartRefusals {
    /** Nothing does. */
    StartRefusals NONE = (_, _, _) -> null;

    /** As {@link DirectStarter#refusal} says it. */
    @Nullable
    String of(GangId gang, Collection<String> pods, boolean tries);
}
