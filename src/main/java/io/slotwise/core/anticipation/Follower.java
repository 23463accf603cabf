package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.search.WindowSearch;

/**
 * A gang that is to get a window like its reference.
 *
 * @param gang which
 * @param search over the nodes that it may use
 * @param terms where its slots may lie
 * @param reference what its window is to be like
 */
public record Follower(Gang gang, WindowSearch search, SlotTerms terms, Reference reference) {}
