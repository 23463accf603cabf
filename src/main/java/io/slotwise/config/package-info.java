/**
 * What a replica is told from outside: {@link io.slotwise.config.PolicyFile} reads the admin's policy strictly (an
 * unknown key is refused with a suggestion), {@link io.slotwise.config.ReloadingPolicy} reads it anew when it changes
 * and keeps the last good one, {@link io.slotwise.config.ReplicaWiring} puts the parts together. A new policy key is
 * a line of {@link io.slotwise.config.PolicyReader}, which says what it takes, and one of the resource {@code
 * policies/default.yaml} with its default and its meaning; the docs and the chart are rendered from the two.
 */
@NullMarked
package io.slotwise.config;

import org.jspecify.annotations.NullMarked;
