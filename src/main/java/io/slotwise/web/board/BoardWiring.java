package io.slotwise.web.board;

import io.slotwise.live.cycle.Replica;
import io.slotwise.web.board.BoardFeed.Rhythm;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Puts the board's parts together. */
@Singleton
final class BoardWiring {
    /** A change of phase is told soon; whatever else a cycle brings is looked for. */
    @Produces
    @Singleton
    BoardFeed feed(BoardSource source, Replica replica) {
        BoardFeed feed = new BoardFeed(source, Rhythm.USUAL);
        replica.onChange(feed::changed);
        return feed;
    }

    void close(@Disposes BoardFeed feed) {
        feed.close();
    }
}
