@NullMarked
package io.slotwise.report;

import org.jspecify.annotations.NullMarked;
