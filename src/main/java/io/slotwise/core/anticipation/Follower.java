package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.search.WindowSearch;

/** A gang that needs a window like its reference, with the search over its nodes and the terms of its slots. */
public record Follower(Gang gang, WindowSearch search, SlotTerms terms, Reference reference) {}
