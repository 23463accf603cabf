/** Slotwise plans gangs of pods in time and money. */
@NullMarked
package io.slotwise;

import org.jspecify.annotations.NullMarked;
