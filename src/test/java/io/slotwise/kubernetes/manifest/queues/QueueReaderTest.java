package io.slotwise.kubernetes.manifest.queues;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueReaderTest {
    private static final long DAY = 24 * 3600;
    private static final Interval INTERVAL = new Interval(NOW - DAY, NOW + 2 * DAY);

    private static QueueObject object(String spec) {
        try {
            QueueObject object = new ObjectMapper(new YAMLFactory())
                    .readValue(
                            "{apiVersion: slotwise.io/v1alpha1, kind: Queue, spec: %s}".formatted(spec),
                            QueueObject.class);
            object.getMetadata().setName("physics");
            return object;
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Queue read(String spec) {
        return new QueueReader(INTERVAL).read(object(spec));
    }

    @Test
    void aQueueIsReadWithItsDefaults() {
        assertThat(read("{}")).isEqualTo(new Queue("physics", null));
    }

    @Test
    void amountsAreInMilliCoresBytesAndUnits() {
        Queue queue = read("""
                {parent: science, weight: 3, guarantee: {cpu: "1.5", memory: 2Ki, nvidia.com/gpu: 16},
                limit: {nvidia.com/gpu: "50%"}, lending: {limit: {nvidia.com/gpu: "8"}}, suspended: true}""");

        assertThat(queue)
                .isEqualTo(new Queue(
                        "physics",
                        "science",
                        3,
                        Map.of("cpu", Amount.of(1500), "memory", Amount.of(2048), "nvidia.com/gpu", Amount.of(16)),
                        Map.of("nvidia.com/gpu", Amount.part(500_000)),
                        Map.of("nvidia.com/gpu", Amount.of(8)),
                        true));
    }

    @Test
    void anAmountChangesByACalendarInItsTimeZone() {
        Queue queue = read("{guarantee: {cpu: 'CRON_TZ=Europe/Berlin 2; 50%@0 20 * * */PT12H'}}");

        Amount amount = Objects.requireNonNull(queue.guarantee().get("cpu"));
        // From 20:00 to 8:00 in Berlin it is one hour earlier in UTC.
        assertThat(amount.units().at(NOW)).isZero();
        assertThat(amount.millionths().at(NOW)).isEqualTo(500_000);
        assertThat(amount.units().at(NOW + 7 * 3600)).isEqualTo(2000);
        assertThat(amount.millionths().at(NOW + 7 * 3600)).isZero();
        assertThat(amount.units().at(NOW + 19 * 3600)).isZero();
    }

    @Test
    void lendingEndsWithWhatIsGuaranteed() {
        Queue queue =
                read("{guarantee: {cpu: 4, memory: 1Gi}, lending: {limit: {cpu: 1}, until: '2030-01-01T08:00:00Z'}}");

        StepFunction.Builder one = StepFunction.startingAt(1000);
        assertThat(queue.lending().get("cpu"))
                .isEqualTo(Amount.of(one.then(NOW + 8 * 3600, 0).build()));
        Amount memory = Objects.requireNonNull(queue.lending().get("memory"));
        assertThat(memory.millionths().at(NOW + 8 * 3600 - 1)).isEqualTo(1_000_000);
        assertThat(memory.millionths().at(NOW + 8 * 3600)).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {guarantee: {cpu: much}}            | `spec.guarantee[cpu]` (much) is not valid: `cpu` (much) is not valid: expected a number such as 500m, 2 or 4Gi
            {guarantee: {cpu: '101%'}}          | `spec.guarantee[cpu]` (101%) is not valid: expected a percentage from 0% to 100% with at most 4 decimals
            {limit: {cpu: '1.00001%'}}          | `spec.limit[cpu]` (1.00001%) is not valid: expected a percentage from 0% to 100% with at most 4 decimals
            {limit: {cpu: '-1'}}                | `spec.limit[cpu]` (-1) is not valid: the quantity (-1) of cpu is not valid: expected between 0 and 9223372036854775
            {limit: {cpu: '2@0 8 * * */PT1H'}}  | `spec.limit[cpu]` (2@0 8 * * */PT1H) is not valid: expected an amount for the other times first, such as 16;32@0 22 * * */PT8H
            {limit: {cpu: '2;3'}}               | `spec.limit[cpu]` (2;3) is not valid: expected AMOUNT@INTERVAL such as 50%@0 22 * * */PT8H in the item (3)
            {lending: {until: soon}}            | `spec.lending.until` (soon) is not valid: expected an RFC 3339 instant such as 2030-01-01T08:00:00Z
            {weight: -1}                        | `spec.weight` (-1) is not valid: expected a whole number between 0 and 1000000
            {parent: physics}                   | `spec.parent` (physics) is not valid: expected another queue
            {namespaces: [a], namespaceSelector: {}} | `spec.namespaces` (a) is not valid: expected none with a namespaceSelector
            """)
    void aRefusalNamesTheFieldTheValueAndWhatWasExpected(String spec, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(spec)).withMessage(message);
    }
}
