package io.slotwise.live.cycle;

import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.settings.LoopSettings;
import java.util.Locale;

/**
 * Reason: a gang runs past its promised end or size and its namespace cannot pay the next grace.
 *
 * @param settings that say what happens to the gang
 */
record UnpaidOverrun(String namespace, LoopSettings settings) implements ReasonStatement {
    @Override
    public String message() {
        return ("it runs past its promised end or size, and the budget of namespace %s does not pay the next %d s: %s "
                        + "(running.overrun.unpaid: %s)")
                .formatted(
                        namespace,
                        settings.overrunGrace(),
                        settings.unpaidOverrun() == LoopSettings.Overrun.EVICT
                                ? "its pods are evicted"
                                : "it continues, and the next period begins with the debt",
                        settings.unpaidOverrun().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public String topic() {
        return "overrun-unpaid";
    }
}
