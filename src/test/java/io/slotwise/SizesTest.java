package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Checks that code stays small enough to read. No file has more than 500 lines, no method more than 60 lines, and no
 * package more than 25 files. No signature but a record's has more than five parameters. {@code
 * src/test/resources/sizes.txt} lists the exceptions and may only shrink: nothing is added, and an entry that meets the
 * limits is removed.
 */
class SizesTest {
    private static final Path CODE = Path.of("src/main/java");
    private static final Path LIST = Path.of("src/test/resources/sizes.txt");

    private static final int LINES_OF_A_FILE = 500;
    private static final int LINES_OF_A_METHOD = 60;
    private static final int PARAMETERS = 5;
    private static final int FILES_OF_A_PACKAGE = 25;

    @Test
    void onlyListedCodeExceedsTheSizeLimits() throws IOException {
        NavigableSet<String> found = tooLargeUnder(CODE);
        if (Boolean.getBoolean("slotwise.sizes")) {
            List<String> left =
                    Files.readAllLines(LIST).stream().filter(found::contains).toList();
            Files.write(LIST, left);
        }

        assertThat(found)
                .as("what is too large: split it; what no longer is goes from the list, as -Dslotwise.sizes=true does")
                .containsExactlyElementsOf(Files.readAllLines(LIST));
    }

    @Test
    void eachRuleFindsExactlyTheCodeBeyondItsLimit() throws IOException {
        String statement = "        run();\n";
        String source = """
                class Large {
                    Large(int a, int b, int c, int d, int e, int f) {}
                    void five(int a, int b, int c, int d, int e) {}
                    void six(int a, int b, int c, int d, int e, int f) {}
                    void sixty() {
                %s    }
                    void more() {
                %s    }
                    record Six(int a, int b, int c, int d, int e, int f) {
                        Six(int a, int b, int c, int d, int e, int f, int g) { this(a, b, c, d, e, f); }
                    }
                    interface Inner { void six(int a, int b, int c, int d, int e, int f); }
                }
                """.formatted(statement.repeat(58), statement.repeat(59));

        assertThat(tooLarge(Map.of("Large.java", source)))
                .containsExactly(
                        "method Large.more",
                        "signature Large.<init>(6)",
                        "signature Large.Inner.six(6)",
                        "signature Large.six(6)");
        assertThat(tooLarge(Map.of("Long.java", "\n".repeat(501), "Short.java", "\n".repeat(500))))
                .containsExactly("file Long.java");
    }

    @Test
    void aPackageHoldsTwentyFiveFiles() {
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < 26; i++) {
            files.put("a/b/C" + i + ".java", "");
            files.put(i == 0 ? "a/package-info.java" : "a/C" + i + ".java", "");
        }

        assertThat(packagesTooLarge(files.keySet().stream().map(Path::of))).containsExactly("package a.b");
    }

    private static NavigableSet<String> tooLargeUnder(Path root) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".java")).toList()) {
                sources.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        NavigableSet<String> found = tooLarge(sources);
        found.addAll(packagesTooLarge(sources.keySet().stream().map(Path::of)));
        return found;
    }

    private static List<String> packagesTooLarge(Stream<Path> files) {
        Map<String, Integer> sizes = new TreeMap<>();
        files.filter(file -> !file.endsWith("package-info.java"))
                .forEach(file -> sizes.merge(String.valueOf(file.getParent()).replace('/', '.'), 1, Integer::sum));
        return sizes.entrySet().stream()
                .filter(size -> size.getValue() > FILES_OF_A_PACKAGE)
                .map(size -> "package " + size.getKey())
                .toList();
    }

    /** Returns the files, methods and signatures that are too large, by kind and name. */
    private static NavigableSet<String> tooLarge(Map<String, String> sources) throws IOException {
        NavigableSet<String> found = new TreeSet<>();
        List<Source> files = sources.entrySet().stream()
                .map(file -> new Source(file.getKey(), file.getValue()))
                .toList();
        files.stream()
                .filter(file -> file.text.lines().count() > LINES_OF_A_FILE)
                .forEach(file -> found.add("file " + file.name));
        JavacTask task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, null, List.of("-proc:none"), null, files);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            new Methods(unit, positions, found).scan(unit, null);
        }
        return found;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("memory:///" + name), JavaFileObject.Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Methods extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final NavigableSet<String> found;

        Methods(CompilationUnitTree unit, SourcePositions positions, NavigableSet<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            String owner = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
            for (Tree tree : getCurrentPath()) {
                if (tree instanceof ClassTree type) {
                    int after = unit.getPackageName() == null ? 0 : (unit.getPackageName() + ".").length();
                    owner = new StringBuilder(owner)
                            .insert(after, type.getSimpleName() + ".")
                            .toString();
                }
            }
            Tree type = getCurrentPath().getParentPath().getLeaf();
            long lines =
                    line(positions.getEndPosition(unit, method)) - line(positions.getStartPosition(unit, method)) + 1;
            if (lines > LINES_OF_A_METHOD) {
                found.add("method " + owner + method.getName());
            }
            int parameters = method.getParameters().size();
            boolean ofRecord = type.getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
            if (parameters > PARAMETERS && !ofRecord) {
                found.add("signature %s%s(%d)".formatted(owner, method.getName(), parameters));
            }
            return super.visitMethod(method, null);
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
