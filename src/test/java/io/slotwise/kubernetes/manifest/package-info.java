@NullMarked
package io.slotwise.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
