package io.slotwise.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AnnotationsDocumentTest {
    private static final Path DOCUMENT = Path.of("docs/reference/annotations.md");

    @Test
    void everyKeyIsInTheDocument() throws IOException {
        String text = Files.readString(DOCUMENT);

        assertThat(keys()).allSatisfy(key -> assertThat(text).contains("`" + key + "`"));
    }

    @Test
    void everyKeyOfTheDocumentIsKnown() throws IOException {
        Matcher keys = Pattern.compile("`(slotwise\\.io/[a-z-]+)`").matcher(Files.readString(DOCUMENT));

        assertThat(keys.results().map(match -> match.group(1)).distinct()).isSubsetOf(keys());
    }

    @Test
    void everySlotwiseKeyIsDocumented() {
        TreeSet<String> placed = new TreeSet<>(AnnotationKeys.POD_LABELS);
        placed.addAll(AnnotationKeys.POD_ANNOTATIONS);
        placed.addAll(AnnotationKeys.NODE_LABELS);
        placed.addAll(AnnotationKeys.NODE_ANNOTATIONS);
        placed.addAll(AnnotationKeys.NAMESPACE_ANNOTATIONS);
        placed.addAll(AnnotationKeys.WRITTEN_ON_PODS);
        placed.addAll(AnnotationKeys.WRITTEN_ON_NODES);
        placed.add(AnnotationKeys.WINDOW_GATE);

        assertThat(keys().stream().filter(key -> key.startsWith(AnnotationKeys.PREFIX)))
                .containsExactlyInAnyOrderElementsOf(placed);
    }

    private static List<String> keys() {
        return Arrays.stream(AnnotationKeys.class.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()) && field.getType() == String.class)
                .map(field -> {
                    try {
                        return (String) field.get(null);
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                })
                .filter(key -> !key.equals(AnnotationKeys.PREFIX))
                .toList();
    }
}
