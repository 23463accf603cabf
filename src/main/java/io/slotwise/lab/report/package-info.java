/** The output of simulations and experiments: tables, JSON, CSV and pages. */
@NullMarked
package io.slotwise.lab.report;

import org.jspecify.annotations.NullMarked;
