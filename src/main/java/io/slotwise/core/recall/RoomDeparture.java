package io.slotwise.core.recall;

import io.slotwise.core.gang.GangId;
import org.jspecify.annotations.Nullable;

/**
 * Room that a holder has given up on a node, or a node that is new or another one than before.
 *
 * @param owner the gang that waits and whose window it was; null: what ran there
 * @param node its name
 * @param from first second, since the epoch
 * @param to the first second behind it, the turnover included
 */
record RoomDeparture(@Nullable GangId owner, String node, long from, long to) {}
