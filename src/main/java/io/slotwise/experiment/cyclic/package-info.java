/**
 * The experiments on the cyclic scheme.
 *
 * <p>{@link io.slotwise.experiment.cyclic.CyclicPaper} has what they share, {@link
 * io.slotwise.experiment.cyclic.CyclicScheme} the paper's ways of scheduling as policies, {@link
 * io.slotwise.experiment.cyclic.CycleMeans} the means over the jobs of a cycle; each experiment is a class.
 */
@NullMarked
package io.slotwise.experiment.cyclic;

import org.jspecify.annotations.NullMarked;
