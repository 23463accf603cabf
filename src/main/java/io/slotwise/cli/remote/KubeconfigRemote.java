package io.slotwise.cli.remote;

import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running Slotwise in the cluster that kubectl would talk to. */
final class KubeconfigRemote implements Remote {
    private final ClusterAccess cluster;
    private final @Nullable TokenFile token;

    KubeconfigRemote(@Nullable TokenFile token) {
        this.cluster = ClusterAccess.open(token == null ? null : token.token());
        this.token = token;
    }

    @Override
    public Reply ask(String path, @Nullable String body) {
        return cluster.ask(path, body);
    }

    @Override
    public @Nullable String tokenOf() {
        return token != null ? token.toString() : cluster.token() == null ? null : "the kubeconfig";
    }

    @Override
    public String namespace() {
        return cluster.namespace();
    }

    @Override
    public List<GangRecord> standings(@Nullable String namespace) {
        return cluster.standings(namespace);
    }

    @Override
    public Board board(int port) {
        return new Board(cluster.forward(port).toString(), true);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
