@NullMarked
package io.slotwise.kubernetes.crd.v1alpha1;

import org.jspecify.annotations.NullMarked;
