package io.slotwise.kubernetes;

import io.slotwise.kubernetes.publish.LeaseLeadership;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The settings of the Lease: the properties {@code slotwise.lease.*}, {@code slotwise.namespace} and {@code
 * slotwise.identity}.
 */
@Singleton
record LeaseSettings(LeaseLeadership.Terms terms) {
    LeaseSettings {
        if (terms.renewDeadline().compareTo(terms.duration()) >= 0
                || terms.retryPeriod().compareTo(terms.renewDeadline()) >= 0) {
            throw new IllegalArgumentException(
                    ("slotwise.lease: duration (%s), renew-deadline (%s) and retry-period (%s) must decrease "
                                    + "in this order")
                            .formatted(terms.duration(), terms.renewDeadline(), terms.retryPeriod()));
        }
    }

    @Inject
    LeaseSettings(
            @ConfigProperty(name = "slotwise.namespace") String namespace,
            @ConfigProperty(name = "slotwise.lease.name") String name,
            @ConfigProperty(name = "slotwise.identity") Optional<String> identity,
            @ConfigProperty(name = "slotwise.lease.duration") Duration duration,
            @ConfigProperty(name = "slotwise.lease.renew-deadline") Duration renewDeadline,
            @ConfigProperty(name = "slotwise.lease.retry-period") Duration retryPeriod) {
        this(new LeaseLeadership.Terms(
                namespace,
                name,
                identity.orElseGet(LeaseSettings::hostAndProcess),
                duration,
                renewDeadline,
                retryPeriod));
    }

    private static String hostAndProcess() {
        long process = ProcessHandle.current().pid();
        try {
            return InetAddress.getLocalHost().getHostName() + "-" + process;
        } catch (UnknownHostException e) {
            return "slotwise-" + process;
        }
    }
}
