/**
 * The cluster as the user's kubectl sees it, for single commands: {@link
 * io.slotwise.kubernetes.kubectl.KubeconfigClient}, {@link io.slotwise.kubernetes.kubectl.ClusterAccess} and {@link
 * io.slotwise.kubernetes.kubectl.PodControllers}, which says what has to be deleted for a gang to go. {@link
 * io.slotwise.kubernetes.kubectl.ClusterListing} lists all that a plan is made of. Errors of the
 * connection are {@link io.slotwise.kubernetes.kubectl.Unreachable} with one clear sentence.
 */
@NullMarked
package io.slotwise.kubernetes.kubectl;

import org.jspecify.annotations.NullMarked;
