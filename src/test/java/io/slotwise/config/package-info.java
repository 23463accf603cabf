@NullMarked
package io.slotwise.config;

import org.jspecify.annotations.NullMarked;
