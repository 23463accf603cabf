@NullMarked
package io.slotwise.experiment;

import org.jspecify.annotations.NullMarked;
