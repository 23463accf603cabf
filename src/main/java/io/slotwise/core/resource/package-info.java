@NullMarked
package io.slotwise.core.resource;

import org.jspecify.annotations.NullMarked;
