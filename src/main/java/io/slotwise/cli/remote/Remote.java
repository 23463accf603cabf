package io.slotwise.cli.remote;

import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running Slotwise, or the cluster in which it should run. */
public interface Remote extends AutoCloseable {
    /** Calls a path such as {@code /api/v1/gangs} with a JSON body; null for a GET. */
    Reply ask(String path, @Nullable String body);

    /** Returns the origin of the token that is sent, such as {@code the kubeconfig}. Null if none is sent. */
    @Nullable
    String tokenOf();

    /** Returns the default namespace. Null for all. */
    @Nullable
    String namespace();

    /** Returns the Reservations of a namespace, or all if null, without a running Slotwise. */
    List<GangRecord> records(@Nullable String namespace);

    /** Opens an address of the board for a browser on this machine, until it is closed; port 0 for a free one. */
    Board board(int port);

    @Override
    void close();

    /** An address of the board; {@code led} tells whether it only exists until this is closed. */
    record Board(String url, boolean led) {}

    /** Finds a running Slotwise. */
    @FunctionalInterface
    interface Finder {
        /** Returns the Slotwise at an address, or in kubectl's cluster if null. A null token is the kubeconfig's. */
        Remote find(@Nullable String url, @Nullable TokenFile token);
    }
}
