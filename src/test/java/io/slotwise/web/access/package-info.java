@NullMarked
package io.slotwise.web.access;

import org.jspecify.annotations.NullMarked;
