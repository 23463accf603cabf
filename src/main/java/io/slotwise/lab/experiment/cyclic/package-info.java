/**
 * The experiments on the cyclic scheme.
 *
 * <p>{@link io.slotwise.lab.experiment.cyclic.CyclicPaper} has what they share, {@link
 * io.slotwise.lab.experiment.cyclic.CyclicScheme} the paper's ways of scheduling as policies, {@link
 * io.slotwise.lab.experiment.cyclic.CycleMeans} the means over the jobs of a cycle; each experiment is a class.
 */
@NullMarked
package io.slotwise.lab.experiment.cyclic;

import org.jspecify.annotations.NullMarked;
