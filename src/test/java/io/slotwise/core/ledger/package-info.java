@NullMarked
package io.slotwise.core.ledger;

import org.jspecify.annotations.NullMarked;
