/** The nodes to buy for gangs, by their own criterion, after all have windows on existing nodes. */
@NullMarked
package io.slotwise.core.planner.purchase;

import org.jspecify.annotations.NullMarked;
