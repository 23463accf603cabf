package io.slotwise.core.plan;

import io.slotwise.core.recall.PlanMemory;

/**
 * A plan and what it leaves to the next one.
 *
 * @param plan the same as without a memory
 * @param memory to be handed to the planner with the next snapshot
 */
public record RememberedPlan(Plan plan, PlanMemory memory) {}
