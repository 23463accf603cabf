/**
 * The API server's admission, for pods in files that no API server has seen. {@code PodAdmission} calls one class for
 * each admission plugin, in the plugins' order. To add a plugin, add a class here.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.admission;

import org.jspecify.annotations.NullMarked;
