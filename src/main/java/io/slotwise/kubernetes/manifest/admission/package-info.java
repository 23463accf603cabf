/**
 * What the API server does to a pod as it is made, for pods in files that no API server has seen: {@code PodAdmission}
 * asks one class for each of its admission plugins, in their order. A new plugin is a class here.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.admission;

import org.jspecify.annotations.NullMarked;
