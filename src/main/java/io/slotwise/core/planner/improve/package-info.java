/**
 * Better plans that keep all promises. {@link io.slotwise.core.planner.improve.Improvement} removes windows and places
 * their gangs again, one {@link io.slotwise.core.planner.improve.Neighbourhood} after the other, and keeps a result
 * with a greater {@link io.slotwise.core.planner.improve.PlanValue}.
 *
 * <p>{@link io.slotwise.core.planner.improve.RuleRepair} runs last: it checks the rules that pods have about each
 * other, and withdraws windows that break one.
 */
@NullMarked
package io.slotwise.core.planner.improve;

import org.jspecify.annotations.NullMarked;
