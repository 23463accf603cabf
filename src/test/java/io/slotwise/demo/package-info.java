@NullMarked
package io.slotwise.demo;

import org.jspecify.annotations.NullMarked;
