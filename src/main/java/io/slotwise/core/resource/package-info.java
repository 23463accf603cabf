/**
 * Amounts of named resources: {@link io.slotwise.core.resource.Resources}, immutable and sorted by name, in the units
 * of the names (cpu in thousandths of a core, memory in bytes). Arithmetic is exact and rejects overflow.
 */
@NullMarked
package io.slotwise.core.resource;

import org.jspecify.annotations.NullMarked;
