package io.slotwise.kubernetes.bind;

import io.slotwise.live.port.Leadership;
import java.util.concurrent.Executor;

/**
 * How a replica starts gangs.
 *
 * @param starts runs the writes that make starts durable, in the order in which it is given them
 * @param bindings runs bindings, before all else
 * @param leadership whether this replica plans, and in which epoch
 */
public record StartCalls(StartQueue starts, Executor bindings, Leadership leadership) {}
