package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which devices the CEL expressions of classes and requests take. Every expression is read once, and every device is
 * looked at once by an expression, for as long as its ResourceSlice is the same object. Used by one thread at a time.
 */
public final class DeviceSelectors {
    private static final int MOST_PROGRAMS = 1024;

    private final Map<String, DeviceLanguage.Reading> programs = new HashMap<>();
    private final IdentityHashMap<ResourceSlice, Map<String, Answer[]>> answers = new IdentityHashMap<>();

    /** Whether a device is meant, or why that cannot be told. */
    record Answer(boolean isMeant, @Nullable String problem) {
        static final Answer YES = new Answer(true, null);
        static final Answer NO = new Answer(false, null);
    }

    /**
     * Whether all of these expressions hold for a device, in their order up to the first that does not; the message of
     * the first that fails is thrown.
     */
    public boolean allTake(List<String> expressions, Device device) {
        for (String expression : expressions) {
            Answer answer = answer(expression, device);
            if (answer.problem() != null) {
                throw new IllegalArgumentException(answer.problem());
            }
            if (!answer.isMeant()) {
                return false;
            }
        }
        return true;
    }

    private Answer answer(String expression, Device device) {
        int devices = device.slice().getSpec().getDevices().size();
        Answer[] ofSlice = answers.computeIfAbsent(device.slice(), _ -> new HashMap<>())
                .computeIfAbsent(expression, _ -> new Answer[devices]);
        Answer answer = ofSlice[device.position()];
        if (answer == null) {
            answer = programs.computeIfAbsent(expression, DeviceLanguage::read).of(device);
            ofSlice[device.position()] = answer;
        }
        return answer;
    }

    /** Forgets the slices that are not among these any more. O(slices). */
    public void retain(Collection<ResourceSlice> slices) {
        if (answers.isEmpty()) {
            return;
        }
        IdentityHashMap<ResourceSlice, Boolean> there = new IdentityHashMap<>(slices.size());
        slices.forEach(slice -> there.put(slice, true));
        answers.keySet().removeIf(slice -> !there.containsKey(slice));
        if (programs.size() > MOST_PROGRAMS) {
            programs.clear();
            answers.clear();
        }
    }
}
