package io.slotwise.core.planner.chains;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.online.ResourceDomains;
import io.slotwise.core.online.ResourceDomains.Domain;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time to transfer data from a gang's predecessors: ceil(8 x bytes / bandwidth) seconds into each domain, as in
 * {@link io.slotwise.core.online.DomainChoice}, and none into a domain whose bandwidth no node states. The location of
 * data is not known, so data is transferred even if all gangs run in one domain.
 *
 * <p>While a gang searches for a window, the slowest domain with one of its eligible nodes counts. Once it has a
 * window, the slowest domain of that window counts.
 */
final class Transfers {
    private final Timeline timeline;
    private final String key;
    private @Nullable ResourceDomains domains;
    private final Map<String, Domain> byName = new HashMap<>();
    private final Map<PlanningGang, Long> slowest = new HashMap<>();

    Transfers(Timeline timeline, String key) {
        this.timeline = timeline;
        this.key = key;
    }

    /** Returns the seconds before a gang can start, wherever it is placed. O(eligible nodes) the first time. */
    long before(PlanningGang gang) {
        long bytes = gang.gang.after().transferBytes();
        if (bytes == 0) {
            return 0;
        }
        Long known = slowest.get(gang);
        if (known == null) {
            known = longest(
                    bytes,
                    gang.eligibility().stream()
                            .flatMap(eligibility -> eligibility.offers().stream())
                            .map(offer -> offer.timeline().node()));
            slowest.put(gang, known);
        }
        return known;
    }

    /** Returns the seconds before a gang can start in this window. O(pods). */
    long before(Gang gang, Window window) {
        long bytes = gang.after().transferBytes();
        return bytes == 0
                ? 0
                : longest(
                        bytes,
                        window.placements().stream()
                                .flatMap(placement -> Stream.ofNullable(timeline.node(placement.node())))
                                .map(NodeTimeline::node));
    }

    private long longest(long bytes, Stream<Node> nodes) {
        ResourceDomains domains = domains();
        List<String> names = nodes.map(domains::nameOf).distinct().toList();
        long longest = 0;
        for (String name : names) {
            Domain domain = byName.get(name);
            long time = domain == null ? Node.UNKNOWN : domain.transferTime(bytes);
            longest = Math.max(longest, time == Node.UNKNOWN ? 0 : time);
        }
        return longest;
    }

    private ResourceDomains domains() {
        ResourceDomains resourceDomains = domains;
        if (resourceDomains == null) {
            resourceDomains = new ResourceDomains(timeline, key);
            resourceDomains.all().forEach(domain -> byName.put(domain.name(), domain));
            domains = resourceDomains;
        }
        return resourceDomains;
    }
}
