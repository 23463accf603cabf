package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartialStartsTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant END = BEGIN.plusSeconds(300);
    private static final GangSpec GANG = GangSpec.of("user", "g", 2, 1000, 60);

    private final PartialStarts starts = new PartialStarts();

    private void answer(String verb, String resource, String pod, double second, int code) {
        answer(verb, resource, pod, second, code, MissingNode.getInstance());
    }

    private void answer(String verb, String resource, String pod, double second, int code, JsonNode stored) {
        Instant answered = BEGIN.plusMillis(Math.round(second * 1000));
        starts.take(new AuditLog.Entry(
                answered, answered, verb, "", "", "", resource, "user", pod, code, MissingNode.getInstance(), stored));
    }

    private void bind(String pod, double second) {
        answer("create", "pods/binding", pod, second, 201);
    }

    private List<String> violations(Absence... absences) {
        return starts.violations(List.of(GANG), List.of(absences), END);
    }

    @Test
    void gangsThatStartWholeOrNotAtAllAreNotPartial() {
        assertThat(violations()).isEmpty();

        bind("g-0", 1);
        bind("g-1", 1.2);
        answer("delete", "pods", "g-0", 40, 200);
        answer("deletecollection", "pods", "", 60, 200);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aGangOfWhichAPodIsNeverBoundRunsInPartUntilTheOthersAreGone() {
        bind("g-0", 1);
        answer("create", "pods/binding", "g-1", 1.1, 404);
        assertThat(violations())
                .containsExactly("1 of the 2 pods of gang user/g were bound, and it ran in part for 299.0 s");

        answer("delete", "pods", "g-0", 30, 404);
        assertThat(violations()).hasSize(1);

        answer("delete", "pods", "g-0", 17, 200);
        assertThat(violations())
                .containsExactly("1 of the 2 pods of gang user/g were bound, and it ran in part for 16.0 s");
    }

    @Test
    void aPodThatHasEndedRunsNoMore() throws JsonProcessingException {
        bind("g-0", 1);
        answer("patch", "pods/status", "g-0", 2, 200, status("Running"));
        assertThat(violations()).hasSize(1);

        answer("patch", "pods/status", "g-0", 12, 200, status("Succeeded"));
        assertThat(violations()).isEmpty();
    }

    private static JsonNode status(String phase) throws JsonProcessingException {
        return new ObjectMapper().readTree("{\"status\": {\"phase\": \"%s\"}}".formatted(phase));
    }

    @Test
    void aGangThatIsDeletedInTheMiddleOfItsStartIsNotInPartForLong() {
        bind("g-1", 60);
        answer("create", "pods/binding", "g-0", 60.1, 404);
        answer("deletecollection", "pods", "", 60.2, 200);

        assertThat(violations()).isEmpty();
    }

    @Test
    void onlyTheTimeWithoutSlotwiseIsNotCounted() {
        bind("g-0", 1);
        bind("g-1", 40);

        assertThat(violations(new Absence(BEGIN.plusSeconds(2), BEGIN.plusSeconds(30))))
                .isEmpty();
        assertThat(violations(new Absence(BEGIN.plusSeconds(2), BEGIN.plusSeconds(20))))
                .containsExactly("2 of the 2 pods of gang user/g were bound, and it ran in part for 21.0 s");
    }
}
