package io.slotwise.kubernetes.bind;

import io.slotwise.live.port.Leadership;
import java.util.concurrent.Executor;

/**
 * The means by which a replica starts gangs.
 *
 * @param starts runs the beginnings of starts in order
 * @param bindings runs bindings, before everything else
 * @param leadership whether this replica plans, and its epoch
 */
public record StartCalls(StartQueue starts, Executor bindings, Leadership leadership) {}
