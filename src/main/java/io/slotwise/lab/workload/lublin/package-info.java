/**
 * The model of rigid jobs of Lublin and Feitelson.
 *
 * <p>{@link io.slotwise.lab.workload.lublin.LublinSettings} reads the user's parameters. {@link
 * io.slotwise.lab.workload.lublin.LublinWorkload.LublinModel} draws with {@link io.slotwise.lab.workload.lublin.Gamma}
 * and {@link io.slotwise.lab.workload.lublin.Drand48}, so that a seed gives the jobs of the published program. {@link
 * io.slotwise.lab.workload.lublin.LublinWorkload} makes a workload of them.
 */
@NullMarked
package io.slotwise.lab.workload.lublin;

import org.jspecify.annotations.NullMarked;
