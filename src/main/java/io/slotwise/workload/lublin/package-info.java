/**
 * The model of rigid jobs of Lublin and Feitelson.
 *
 * <p>{@link io.slotwise.workload.lublin.LublinSettings} reads what users write, {@link
 * io.slotwise.workload.lublin.LublinModel} draws with {@link io.slotwise.workload.lublin.Gamma} and {@link
 * io.slotwise.workload.lublin.Drand48}, so that a seed gives the jobs of the published program; {@link
 * io.slotwise.workload.lublin.LublinWorkload} makes a workload of them.
 */
@NullMarked
package io.slotwise.workload.lublin;

import org.jspecify.annotations.NullMarked;
