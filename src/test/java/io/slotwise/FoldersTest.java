package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FoldersTest {
    private static final Path CODE = Path.of("src/main/java/io/slotwise");

    private static final int LONGEST_LINE = 120;
    private static final Pattern TEXT_BLOCK = Pattern.compile("\"{3}");

    @Test
    void contributingNamesEveryPackage() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("CONTRIBUTING.md"));

        List<String> unnamed = packages().keySet().stream()
                .filter(name -> !name.isEmpty()
                        && lines.stream().noneMatch(line -> line.contains("`" + name + "`") || isFolderIn(line, name)))
                .toList();

        assertThat(unnamed).isEmpty();
    }

    /** Returns whether a line is the row of the package above and names the folder of this one. */
    private static boolean isFolderIn(String line, String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0
                && line.startsWith("| `" + name.substring(0, dot) + "`")
                && line.contains("`" + name.substring(dot + 1) + "`");
    }

    @Test
    void everyFolderOfSeveralClassesSaysHowTheyWorkTogether() throws IOException {
        List<String> silent = new ArrayList<>();
        for (var folder : packages().entrySet()) {
            Path essay = folder.getValue().getFirst().resolveSibling("package-info.java");
            if (folder.getValue().size() > 1
                    && (!Files.exists(essay) || !Files.readString(essay).startsWith("/**"))) {
                silent.add(folder.getKey());
            }
        }

        assertThat(silent).isEmpty();
    }

    /** Covers comments and strings, which the formatter does not wrap. Lines inside a text block are exempt. */
    @Test
    void noLineIsTooLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources(Path.of("src"))) {
            List<String> lines = Files.readAllLines(file);
            boolean inTextBlock = false;
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                boolean bound = TEXT_BLOCK.matcher(line).results().count() % 2 == 1;
                if (!inTextBlock && line.length() > LONGEST_LINE && line.strip().contains(" ")) {
                    tooLong.add(file + ":" + (i + 1));
                }
                inTextBlock ^= bound;
            }
        }

        assertThat(tooLong).isEmpty();
    }

    /** The source files of each package that has any, by the package's name without {@code io.slotwise.}. */
    private static SortedMap<String, List<Path>> packages() throws IOException {
        SortedMap<String, List<Path>> found = new TreeMap<>();
        for (Path file : sources(CODE)) {
            if (!file.endsWith("package-info.java")) {
                Path folder = CODE.relativize(file).getParent();
                found.computeIfAbsent(folder == null ? "" : folder.toString().replace('/', '.'), _ -> new ArrayList<>())
                        .add(file);
            }
        }
        return found;
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }
}
