package io.slotwise.kubernetes.manifest.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AnnotationReaderTest {

    @Test
    void annotationsBySlotwiseItselfAreNoRequestAndMayDiffer() {
        AnnotationReader annotations = new AnnotationReader();

        annotations.add(
                "pod user/g-0",
                null,
                Map.of(AnnotationKeys.WINDOW_START, "2030-01-01T00:00:00Z"),
                AnnotationKeys.POD_LABELS,
                AnnotationKeys.POD_ANNOTATIONS);
        annotations.add(
                "pod user/g-1",
                null,
                Map.of(AnnotationKeys.WINDOW_START, "2030-01-01T01:00:00Z"),
                AnnotationKeys.POD_LABELS,
                AnnotationKeys.POD_ANNOTATIONS);

        assertThat(annotations.problems()).isEmpty();
    }

    @Test
    void aTextThatIsTooLongIsNotLookedAt() {
        AnnotationReader annotations = new AnnotationReader();
        annotations.add(
                "pod user/g-0",
                null,
                Map.of(
                        AnnotationKeys.BUDGET,
                        "1".repeat(AnnotationReader.LONGEST + 1),
                        AnnotationKeys.RUNTIME,
                        "1".repeat(AnnotationReader.LONGEST)),
                AnnotationKeys.POD_LABELS,
                AnnotationKeys.POD_ANNOTATIONS);

        assertThat(annotations.<Integer>readOrNull(AnnotationKeys.BUDGET, String::length))
                .isNull();
        assertThat(annotations.<Integer>readOrNull(AnnotationKeys.RUNTIME, String::length))
                .isEqualTo(AnnotationReader.LONGEST);
        assertThat(annotations.problems())
                .singleElement()
                .asString()
                .endsWith(" is too long: expected at most 512 characters");
    }

    @Test
    void anUnknownSlotwiseKeyIsAProblem() {
        AnnotationReader annotations = new AnnotationReader();

        annotations.add(
                "pod user/g-0",
                null,
                Map.of("slotwise.io/gangsize", "4"),
                AnnotationKeys.POD_LABELS,
                AnnotationKeys.POD_ANNOTATIONS);

        assertThat(annotations.problems()).singleElement().asString().contains("slotwise.io/gangsize", "is not known");
    }
}
