package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventNoteTest {
    @ParameterizedTest
    @ValueSource(strings = {"xx", "é", "名", "🙂", "a🙂", "ab🙂", "abc🙂"})
    void aLongNoteIsCutBetweenCharactersAtTheBytesThatTheApiTakes(String piece) {
        String note = EventWriter.note(piece.repeat(1000));

        assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1020, 1024);
        assertThat(note).doesNotContain("\ufffd");
        assertThat(piece.repeat(1000)).startsWith(note);
    }

    @Test
    void aShortNoteStaysAsItIs() {
        assertThat(EventWriter.note("名".repeat(341))).hasSize(341);
    }
}
