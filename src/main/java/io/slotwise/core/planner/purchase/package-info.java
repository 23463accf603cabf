/**
 * What one would buy for gangs, by their own criterion, once all have what is there.
 */
@NullMarked
package io.slotwise.core.planner.purchase;

import org.jspecify.annotations.NullMarked;
