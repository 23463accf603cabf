/**
 * The cluster as the user's kubectl sees it, for single commands. {@link
 * io.slotwise.kubernetes.kubectl.KubeconfigClient} is the client and {@link
 * io.slotwise.kubernetes.kubectl.ClusterAccess} the access to Slotwise. {@link
 * io.slotwise.kubernetes.kubectl.PodControllers} finds what has to be deleted to remove a gang. {@link
 * io.slotwise.kubernetes.kubectl.ClusterListing} lists everything that a plan is made from. Connection errors are
 * {@link io.slotwise.kubernetes.kubectl.Unreachable} with one clear sentence.
 */
@NullMarked
package io.slotwise.kubernetes.kubectl;

import org.jspecify.annotations.NullMarked;
