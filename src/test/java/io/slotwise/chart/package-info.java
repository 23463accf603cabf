/** The Helm chart and what is made of it, rendered inside the test. */
@NullMarked
package io.slotwise.chart;

import org.jspecify.annotations.NullMarked;
