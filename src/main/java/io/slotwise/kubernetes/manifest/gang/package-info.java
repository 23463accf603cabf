/**
 * What the pods of a gang say about it.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.gang.AnnotatedGang} is what our annotations say, in whatever pod they
 * stand (budget, criterion, deadline and so on are read here); {@link
 * io.slotwise.kubernetes.manifest.gang.RecognisedGang} what conventions of other projects say after them; {@link
 * io.slotwise.kubernetes.manifest.gang.GangDefaults} what holds where none does. {@link
 * io.slotwise.kubernetes.manifest.gang.GuessedRuntimes} and {@link
 * io.slotwise.kubernetes.manifest.gang.RepeatedWorkload} tell how long a gang runs that does not say it, {@link
 * io.slotwise.kubernetes.manifest.gang.PromiseSeats} which pod has which place of a promise, {@link
 * io.slotwise.kubernetes.manifest.gang.KnownGang} what a host knows beside the pods.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.gang;

import org.jspecify.annotations.NullMarked;
