package io.slotwise.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTextTest {
    @ParameterizedTest
    @CsvSource({
        "'a\nb\rc\td', 'a\\nb\\rc\\td'",
        "'\u001b[31mred', '\\u001b[31mred'",
        "'\u0000\u007f\u0085', '\\u0000\\u007f\\u0085'",
        "'ab\u202edc', 'ab\\u202edc'",
        "'a\u2028b\u2029c', 'a\\u2028b\\u2029c'",
        "'\ufefftext', '\\ufefftext'",
        "'größe Ζεύς 名前 🙂', 'größe Ζεύς 名前 🙂'"
    })
    void controlAndInvisibleCharactersAreEscaped(String text, String shown) {
        assertThat(SafeText.line(text)).isEqualTo(shown);
        assertThat(SafeText.value(text)).isEqualTo(shown);
        assertThat(SafeText.line(shown)).isEqualTo(shown);
    }

    @Test
    void halfACharacterIsWrittenOut() {
        assertThat(SafeText.line("a\ud83d")).isEqualTo("a\\ud83d");
    }

    @Test
    void aLongValueIsItsBeginningAndItsLength() {
        assertThat(SafeText.value("x".repeat(1_000_000)))
                .isEqualTo("x".repeat(SafeText.LONGEST_VALUE) + "... (1000000 characters)");
    }

    @Test
    void aLongSentenceKeepsItsSubjectAndTheExpectedForm() {
        String line = SafeText.line("`key` (" + "\n".repeat(100_000) + ") is not valid: expected a number");

        assertThat(line)
                .startsWith("`key` (\\n\\n")
                .contains(" ... ")
                .endsWith(") is not valid: expected a number")
                .hasSizeLessThanOrEqualTo(SafeText.LONGEST_LINE);
        assertThat(SafeText.line(line)).isEqualTo(line);
    }

    @Test
    void noCharacterIsCutInTwo() {
        assertThat(SafeText.line("🙂".repeat(2000))).doesNotContain("\\u");
        assertThat(SafeText.line("a" + "🙂".repeat(2000))).doesNotContain("\\u");
        assertThat(SafeText.value("a" + "🙂".repeat(2000))).doesNotContain("\\u");
    }

    @ParameterizedTest
    @CsvSource({"g-1, true", "名前, true", "'', false", "a b, false", "'a\u200bb', false", "123456, false"})
    void aPlainNameIsShortAndVisible(String name, boolean plain) {
        assertThat(SafeText.isPlain(name, 5)).isEqualTo(plain);
    }
}
