/** Tests of the Helm chart and the files made from it, rendered within the test. */
@NullMarked
package io.slotwise.chart;

import org.jspecify.annotations.NullMarked;
