/** All experiments by name, and the files by which shards of them are merged. */
@NullMarked
package io.slotwise.lab.experiment.catalogue;

import org.jspecify.annotations.NullMarked;
