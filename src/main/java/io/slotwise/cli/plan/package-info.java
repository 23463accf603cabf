/**
 * Commands that plan objects of files or of a cluster: {@link io.slotwise.cli.plan.PlanCommand} and {@link
 * io.slotwise.cli.plan.QuoteCommand}, which can also ask a running Slotwise. {@link io.slotwise.cli.plan.ObjectInputs}
 * has their options, and {@link io.slotwise.cli.plan.FilePlan} makes the plan.
 */
@NullMarked
package io.slotwise.cli.plan;

import org.jspecify.annotations.NullMarked;
