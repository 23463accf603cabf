package io.slotwise.core.window;

/**
 * The extent of the search for alternatives of one plan, over all its sub-batches.
 *
 * @param turns of gangs in rounds after the first, in which every gang has a turn; a search that ends after as many
 *     turns finds the same
 * @param stopped whether the search was told to end before it had found all
 */
public record SearchExtent(int rounds, long turns, boolean stopped) {
    public static final SearchExtent NONE = new SearchExtent(0, 0, false);
}
