package io.slotwise.kubernetes;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerStart;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.live.Heart;
import io.slotwise.live.PlanningLoop;
import io.slotwise.live.Releases;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Starts and stops what runs by itself in a replica. */
@Singleton
final class Replica {
    private static final Logger LOG = Logger.getLogger(Replica.class);

    private final ClusterWatch watch;
    private final LeaseLeadership leadership;
    private final Heart heart;
    private final PlanningLoop loop;
    private final Releases releases;

    Replica(ClusterWatch watch, LeaseLeadership leadership, Heart heart, PlanningLoop loop, Releases releases) {
        this.watch = watch;
        this.leadership = leadership;
        this.heart = heart;
        this.loop = loop;
        this.releases = releases;
    }

    void start(@Observes StartupEvent event) {
        watch.start();
        leadership.start();
        heart.start(loop, releases);
    }

    void listening(@ObservesAsync HttpServerStart event) {
        LOG.infof("listening on http://127.0.0.1:%d", event.options().getPort());
    }

    void stop(@Observes ShutdownEvent event) {
        heart.close();
        leadership.close();
        watch.close();
    }
}
