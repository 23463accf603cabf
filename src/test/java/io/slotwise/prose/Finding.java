package io.slotwise.prose;

/**
 * A sentence that breaks a rule.
 *
 * @param message what is wrong, and what to write instead
 */
record Finding(String rule, int line, String message, String sentence) {}
