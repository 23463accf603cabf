/** What people and programs are shown of simulations and experiments: tables, JSON, CSV and pages. */
@NullMarked
package io.slotwise.lab.report;

import org.jspecify.annotations.NullMarked;
