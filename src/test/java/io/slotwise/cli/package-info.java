@NullMarked
package io.slotwise.cli;

import org.jspecify.annotations.NullMarked;
