/**
 * The experiments on the cyclic scheme.
 *
 * <p>{@link io.slotwise.lab.experiment.cyclic.CyclicPaper} is their common part, {@link
 * io.slotwise.lab.experiment.cyclic.CyclicScheme} has the paper's schedulers as policies, and {@link
 * io.slotwise.lab.experiment.cyclic.CycleMeans} the means over the jobs of a cycle. Each experiment is a class.
 */
@NullMarked
package io.slotwise.lab.experiment.cyclic;

import org.jspecify.annotations.NullMarked;
