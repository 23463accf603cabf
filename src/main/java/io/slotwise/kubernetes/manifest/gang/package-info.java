/**
 * The terms of gangs, as their pods state them.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.gang.AnnotatedGang} has the terms from Slotwise's annotations on any pod,
 * such as budget, criterion and deadline. {@link io.slotwise.kubernetes.manifest.gang.RecognisedGang} has those from
 * conventions of other projects, which come second, and {@link io.slotwise.kubernetes.manifest.gang.GangDefaults} those
 * that apply where nothing is stated. {@link io.slotwise.kubernetes.manifest.gang.GuessedRuntimes} and {@link
 * io.slotwise.kubernetes.manifest.gang.RepeatedWorkload} predict runtimes that are not stated. {@link
 * io.slotwise.kubernetes.manifest.gang.PromisePlacements} assigns pods to the placements of a promise, and {@link
 * io.slotwise.kubernetes.manifest.gang.KnownGang} is what a host knows besides the pods.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.gang;

import org.jspecify.annotations.NullMarked;
