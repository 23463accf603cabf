/**
 * The HTTP API: {@link io.slotwise.web.GangAnswers} makes answers, and the resources map them to paths.
 *
 * <p>{@code web.access} decides what a caller may see before an answer is made: a resource asks a scope, never the
 * request. The board is {@code web.board}, kube-scheduler's calls are {@code web.extender}. Fields of answers are
 * stable: they may only be added. A new path also belongs in the API description, which a test compares with the
 * answers.
 */
@NullMarked
package io.slotwise.web;

import org.jspecify.annotations.NullMarked;
