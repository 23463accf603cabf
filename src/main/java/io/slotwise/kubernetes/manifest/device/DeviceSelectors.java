package io.slotwise.kubernetes.manifest.device;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.slotwise.core.work.Steps;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of the CEL expressions of classes and requests for devices. Every expression is parsed once, and
 * evaluated once for each device while its ResourceSlice is the same object. Thread-safe.
 */
public final class DeviceSelectors {
    private static final int MOST_EXPRESSIONS = 1024;
    /** The most steps of a payer in a cycle: two expressions that use up the limit for one device. */
    static final long MOST_STEPS = 2 * SelectorSteps.MOST;

    private final Cache<String, Expression> expressions =
            Caffeine.newBuilder().maximumSize(MOST_EXPRESSIONS).build();

    private record Expression(DeviceLanguage.Reading reading, Cache<ResourceSlice, @Nullable Answer[]> answers) {
        static Expression read(String text) {
            return new Expression(
                    DeviceLanguage.read(text), Caffeine.newBuilder().weakKeys().build());
        }
    }

    /** The answer for a device, or why it is unknown. */
    record Answer(boolean isMeant, @Nullable String problem) {
        static final Answer YES = new Answer(true, null);
        static final Answer NO = new Answer(false, null);
    }

    /** The steps that payers have used in one cycle or at one start. Used by one thread. */
    final class Cycle {
        private final Map<String, Long> taken = new HashMap<>();

        /**
         * Evaluates expressions for a device in order, up to the first that fails or does not hold.
         *
         * @param payer the namespace of the pod that asks, or its pods with promises
         * @return null if the answer is unknown and the payer has no steps left in this cycle
         */
        @Nullable
        Answer allTake(String payer, List<String> all, Device device) {
            for (String expression : all) {
                Answer answer = answer(payer, expression, device);
                if (answer == null || !answer.isMeant()) {
                    return answer;
                }
            }
            return Answer.YES;
        }

        private @Nullable Answer answer(String payer, String text, Device device) {
            Expression expression = expressions.getIfPresent(text);
            Answer knownAnswer = expression == null ? null : answers(expression, device)[device.position()];
            if (knownAnswer != null) {
                return knownAnswer;
            }
            long before = taken.getOrDefault(payer, 0L);
            if (before >= MOST_STEPS) {
                return null;
            }
            SelectorSteps steps = new SelectorSteps();
            long toRead = expression == null ? SelectorSteps.toRead(text) : 0;
            Expression readExpression = expressions.get(text, Expression::read);
            Answer answer = readExpression.reading().of(device, steps);
            answers(readExpression, device)[device.position()] = answer;
            taken.put(payer, before + toRead + steps.taken());
            Steps.add(Steps.Kind.SELECTORS, toRead + steps.taken());
            return answer;
        }

        long taken(String payer) {
            return taken.getOrDefault(payer, 0L);
        }

        private static @Nullable Answer[] answers(Expression expression, Device device) {
            return expression
                    .answers()
                    .get(
                            device.slice(),
                            slice -> new Answer[slice.getSpec().getDevices().size()]);
        }
    }
}
