/**
 * The configuration of a replica. {@link io.slotwise.config.PolicyFile} reads the admin's policy strictly: an unknown
 * key is refused with a suggestion. {@link io.slotwise.config.ReloadingPolicy} reads it again when it changes and keeps
 * the last valid one. {@link io.slotwise.config.ReplicaWiring} connects the parts. A new policy key is a line of {@link
 * io.slotwise.config.PolicyReader} with its type, and one of the resource {@code policies/default.yaml} with its
 * default and meaning. The docs and the chart are generated from both.
 */
@NullMarked
package io.slotwise.config;

import org.jspecify.annotations.NullMarked;
