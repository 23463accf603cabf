/** All experiments by name, and the files that merge their shards. */
@NullMarked
package io.slotwise.lab.experiment.catalogue;

import org.jspecify.annotations.NullMarked;
