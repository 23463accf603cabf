/**
 * Better plans at no loss of what was promised: {@link io.slotwise.core.planner.improve.Improvement} takes windows away
 * and places their gangs anew, one {@link io.slotwise.core.planner.improve.Neighbourhood} after the other, and keeps
 * what has a greater {@link io.slotwise.core.planner.improve.PlanValue}.
 *
 * <p>{@link io.slotwise.core.planner.improve.RuleRepair} looks last at the rules that pods have about each other, and
 * takes back what breaks one.
 */
@NullMarked
package io.slotwise.core.planner.improve;

import org.jspecify.annotations.NullMarked;
