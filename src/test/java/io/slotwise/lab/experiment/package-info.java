@NullMarked
package io.slotwise.lab.experiment;

import org.jspecify.annotations.NullMarked;
