package io.slotwise.cli.remote;

import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running Slotwise, or the cluster that it should run in. */
public interface Remote extends AutoCloseable {
    /** Asks the running Slotwise at a path such as {@code /api/v1/gangs}; {@code body}: JSON, null: it is only read. */
    Reply ask(String path, @Nullable String body);

    /** Whose the token is that Slotwise is sent, such as {@code the kubeconfig}; null: it is sent none. */
    @Nullable
    String tokenOf();

    /** The namespace that is meant where none is named; null: all. */
    @Nullable
    String namespace();

    /** What the Reservations say without a running Slotwise, by gang; {@code namespace} null: of all. */
    List<GangRecord> records(@Nullable String namespace);

    /** An address of the board for a browser of this machine, until it is closed; {@code port} 0: a free one. */
    Board board(int port);

    @Override
    void close();

    /** Where the board is; {@code led}: whether it is there only until this is closed. */
    record Board(String url, boolean led) {}

    /** Finds a running Slotwise. */
    @FunctionalInterface
    interface Finder {
        /** At this address, or, if it is null, in kubectl's cluster; {@code token} null: the kubeconfig's. */
        Remote find(@Nullable String url, @Nullable TokenFile token);
    }
}
