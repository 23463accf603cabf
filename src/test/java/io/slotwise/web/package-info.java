@NullMarked
package io.slotwise.web;

import org.jspecify.annotations.NullMarked;
