package io.slotwise.config;

import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The policy file overlaid with properties, which is read again when its content changes. Contents are compared,
 * because a mounted ConfigMap changes its links and not its times.
 *
 * <p>An invalid or missing file leaves the previous policy in force, and is reported once for each content. It is an
 * error only at the start, without a previous policy.
 */
final class ReloadingPolicy implements CurrentSettings {
    private static final Logger LOG = Logger.getLogger(ReloadingPolicy.class);

    private final Path file;
    private final Map<String, String> properties;
    private final MetricsRecorder recorder;
    private Reading seenReading;
    private volatile Policy currentPolicy;

    /**
     * The result of reading the file.
     *
     * @param text its content; null if it could not be read
     * @param problem why not
     */
    private record Reading(@Nullable String text, String problem) {}

    /** The policy in force, as text and as settings. */
    private record Policy(PolicyFile file, LoopSettings settings) {}

    /**
     * Reads the policy; the properties also override later contents.
     *
     * @throws InvalidInput if the policy is invalid
     */
    ReloadingPolicy(Path file, Map<String, String> properties, MetricsRecorder recorder) {
        this.file = file;
        this.properties = Map.copyOf(properties);
        this.recorder = recorder;
        this.seenReading = look();
        this.currentPolicy = read(seenReading);
    }

    @Override
    public LoopSettings get() {
        return currentPolicy.settings();
    }

    @Override
    public synchronized LoopSettings renewed() {
        Reading reading = look();
        if (!reading.equals(seenReading)) {
            seenReading = reading;
            adopt(reading);
        }
        return get();
    }

    private Reading look() {
        try {
            return new Reading(PolicyFile.text(file), "");
        } catch (InvalidInput e) {
            return new Reading(null, String.valueOf(e.getMessage()));
        }
    }

    private Policy read(Reading reading) {
        if (reading.text() == null) {
            throw new InvalidInput(reading.problem());
        }
        PolicyFile policyFile = PolicyFile.load(new StringReader(reading.text()), file.toString())
                .overlay(properties);
        return new Policy(policyFile, policyFile.settings());
    }

    private void adopt(Reading reading) {
        try {
            Policy policy = read(reading);
            List<String> changes = policy.file().changesFrom(currentPolicy.file()).stream()
                    .map(PolicyFile.Change::toString)
                    .toList();
            currentPolicy = policy;
            recorder.policyUsable(true);
            if (changes.isEmpty()) {
                LOG.infof("the policy file %s was reloaded and has not changed", file);
            } else {
                recorder.policyReplaced();
                LOG.infof("a new policy from %s is active: %s", file, String.join(", ", changes));
            }
        } catch (InvalidInput e) {
            recorder.policyUsable(false);
            LOG.warnf("the policy file is not valid, and the previous policy stays active: %s", e.getMessage());
        }
    }
}
