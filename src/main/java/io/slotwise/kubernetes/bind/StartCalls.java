package io.slotwise.kubernetes.bind;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * How a replica starts gangs.
 *
 * @param starts runs the writes that make starts durable, in the order in which it is given them
 * @param bindings runs bindings, before all else
 * @param leading whether this replica plans
 */
public record StartCalls(Executor starts, Executor bindings, BooleanSupplier leading) {}
