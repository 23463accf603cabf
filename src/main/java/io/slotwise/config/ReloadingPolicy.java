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
 * The policy file with properties over it, read anew whenever its content has changed: contents are compared, since a
 * mounted ConfigMap changes by its links and not by its times.
 *
 * <p>A file that cannot be used, or is not there any more, leaves the policy before it in force; that is told once for
 * each content. Only at the beginning, when there is none before it, is it an error.
 */
final class ReloadingPolicy implements CurrentSettings {
    private static final Logger LOG = Logger.getLogger(ReloadingPolicy.class);

    private final Path file;
    private final Map<String, String> properties;
    private final MetricsRecorder recorder;
    private Reading seenReading;
    private volatile Policy inForcePolicy;

    /**
     * What was found in the file's place.
     *
     * @param text its content; null: it could not be read
     * @param problem why not
     */
    private record Reading(@Nullable String text, String problem) {}

    /** What is in force, as it was written and as it is meant. */
    private record Policy(PolicyFile file, LoopSettings settings) {}

    /**
     * The policy of this file.
     *
     * @param properties over it, also over what it says later
     * @throws InvalidInput if it cannot be used
     */
    ReloadingPolicy(Path file, Map<String, String> properties, MetricsRecorder recorder) {
        this.file = file;
        this.properties = Map.copyOf(properties);
        this.recorder = recorder;
        this.seenReading = look();
        this.inForcePolicy = read(seenReading);
    }

    @Override
    public LoopSettings get() {
        return inForcePolicy.settings();
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
            List<String> changes = policy.file().changesFrom(inForcePolicy.file()).stream()
                    .map(PolicyFile.Change::toString)
                    .toList();
            inForcePolicy = policy;
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
