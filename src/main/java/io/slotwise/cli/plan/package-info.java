/**
 * Commands that plan objects of files or of a cluster: {@link io.slotwise.cli.plan.PlanCommand} and {@link
 * io.slotwise.cli.plan.QuoteCommand}, which also asks a running Slotwise. {@link io.slotwise.cli.plan.ObjectInputs}
 * has the options for them, {@link io.slotwise.cli.plan.FilePlan} makes one plan of them.
 */
@NullMarked
package io.slotwise.cli.plan;

import org.jspecify.annotations.NullMarked;
