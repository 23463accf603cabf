package io.slotwise.cli.remote;

import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running Slotwise, or the cluster that it should run in. */
public interface Remote extends AutoCloseable {
    /**
     * Asks the running Slotwise.
     *
     * @param path such as {@code /api/v1/gangs}
     * @param body JSON to send; null: it is only read
     * @throws Unreachable if it does not answer
     */
    Reply ask(String path, @Nullable String body);

    /** Whose the token is that Slotwise is sent, such as {@code the kubeconfig}; null: it is sent none. */
    @Nullable
    String tokenOf();

    /** The namespace that is meant where none is named; null: all. */
    @Nullable
    String namespace();

    /**
     * What the Reservations say without a running Slotwise, by gang.
     *
     * @param namespace whose; null: of all namespaces
     * @throws Unreachable if they cannot be read
     */
    List<GangRecord> standings(@Nullable String namespace);

    /**
     * An address of the board for a browser of this machine, for as long as it is not closed.
     *
     * @param port on this machine, where one is needed; 0: a free one
     * @throws Unreachable if there is none
     */
    Board board(int port);

    @Override
    void close();

    /**
     * Where the board is.
     *
     * @param url its address
     * @param led whether it is there only until this is closed
     */
    record Board(String url, boolean led) {}

    /** Finds a running Slotwise. */
    @FunctionalInterface
    interface Finder {
        /**
         * At this address, or, if it is null, in the cluster that kubectl would talk to.
         *
         * @param token a file with the token that it is sent; null: the kubeconfig's is
         */
        Remote find(@Nullable String url, @Nullable TokenFile token);
    }
}
