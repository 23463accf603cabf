/**
 * Answers over HTTP: {@link io.slotwise.web.GangAnswers} makes them, the resources say under which paths.
 *
 * <p>What a caller may see is decided in {@code web.access} before an answer is made: a resource asks a scope, never
 * the request. The board is {@code web.board}, kube-scheduler's calls {@code web.extender}. The fields of answers are
 * fixed: they may be added to. A new path goes into the description of the API too, which a test compares with the
 * answers.
 */
@NullMarked
package io.slotwise.web;

import org.jspecify.annotations.NullMarked;
