package io.slotwise.core.window;

/**
 * How far the search for alternatives of one plan went, all its sub-batches together.
 *
 * @param turns of gangs in rounds other than the first, which every gang has; a search that ends after as many of them
 *     finds the same
 * @param stopped whether it ended because it was told to, before it had found all
 */
public record SearchExtent(int rounds, long turns, boolean stopped) {
    public static final SearchExtent NONE = new SearchExtent(0, 0, false);
}
