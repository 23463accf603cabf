/** What is counted and measured. Every meter has its name here and nowhere else. */
@NullMarked
package io.slotwise.observability;

import org.jspecify.annotations.NullMarked;
