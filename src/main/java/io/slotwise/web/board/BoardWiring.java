package io.slotwise.web.board;

import io.slotwise.live.cycle.Replica;
import io.slotwise.web.board.BoardFeed.Rhythm;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Connects the board's components. */
@Singleton
final class BoardWiring {
    /** Changes of phase reach the feed soon; the feed looks for everything else. */
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
