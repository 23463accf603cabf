package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Checks how fields, parameters and variables of the program's own types are named. A name shares a word with its type
 * ({@code GangRecord record}) or is the name of a role ({@code Money price}). {@code src/test/resources/roles.txt}
 * lists the roles. Its first line gives the number of names that are neither, which may only decrease.
 */
class NamesTest {
    private static final Path CODE = Path.of("src/main/java");
    private static final Path ROLES = Path.of("src/test/resources/roles.txt");
    private static final String EXCEPTIONS = "exceptions ";
    private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");
    private static final Pattern PLURAL = Pattern.compile("s+$");

    @Test
    void variablesAreNamedAfterTheirTypeOrRole() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(ROLES));
        int allowed = Integer.parseInt(lines.getFirst().substring(EXCEPTIONS.length()));
        List<String> found = misnamed(sources(), Set.copyOf(lines.subList(1, lines.size())));
        if (Boolean.getBoolean("slotwise.names") && found.size() < allowed) {
            allowed = found.size();
            lines.set(0, EXCEPTIONS + allowed);
            Files.write(ROLES, lines);
        }

        assertThat(found.size())
                .as(
                        "names that share no word with their type; -Dslotwise.names=true lowers the number:%n%s",
                        String.join(System.lineSeparator(), found))
                .isEqualTo(allowed);
    }

    @Test
    void theRuleFindsFieldsParametersVariablesAndComponentsOfOwnTypesAlone() throws IOException {
        String source = """
                class GangRecord {
                    GangRecord record, standing;
                    java.util.List<GangRecord> those;
                    String text;
                    void run(GangRecord[] many, GangRecord price, GangRecord next) {
                        for (GangRecord gangs : many) { GangRecord draft = gangs; }
                        if (price instanceof GangRecord seat) { run(many, seat, next); }
                    }
                    record Pair(GangRecord whole, GangRecord theRecord) {}
                }
                """;

        assertThat(misnamed(Map.of("GangRecord.java", source), Set.of("price", "next")))
                .containsExactly(
                        "GangRecord.java: GangRecord draft",
                        "GangRecord.java: GangRecord seat",
                        "GangRecord.java: GangRecord standing",
                        "GangRecord.java: GangRecord whole");
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(CODE)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.put(CODE.relativize(file).toString(), Files.readString(file));
            }
        }
        return sources;
    }

    /** Returns the names that neither share a word with their type nor are a role, sorted. */
    private static List<String> misnamed(Map<String, String> sources, Set<String> roles) throws IOException {
        List<Source> files = sources.entrySet().stream()
                .map(file -> new Source(file.getKey(), file.getValue()))
                .toList();
        JavacTask task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, null, List.of("-proc:none"), null, files);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        Set<String> own = new HashSet<>();
        for (CompilationUnitTree unit : units) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitClass(ClassTree type, Void unused) {
                    if (!type.getSimpleName().isEmpty()) { // an anonymous class has no name
                        own.add(type.getSimpleName().toString());
                    }
                    return super.visitClass(type, null);
                }
            }.scan(unit, null);
        }
        List<String> found = new ArrayList<>();
        for (CompilationUnitTree unit : units) {
            String file = unit.getSourceFile().toUri().getPath().substring(1);
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitVariable(VariableTree variable, Void unused) {
                    String type = simpleName(variable.getType());
                    String name = variable.getName().toString();
                    boolean constant = name.isEmpty() || Character.isUpperCase(name.charAt(0));
                    if (own.contains(type)
                            && !constant
                            && !roles.contains(name)
                            && Collections.disjoint(words(type), words(name))) {
                        found.add(file + ": " + type + " " + name);
                    }
                    return super.visitVariable(variable, null);
                }
            }.scan(unit, null);
        }
        Collections.sort(found);
        return found;
    }

    /**
     * Returns the type's simple name without type arguments, or an empty string for an array, a primitive type or null.
     */
    private static String simpleName(Tree type) {
        return switch (type) {
            case IdentifierTree name -> name.getName().toString();
            case MemberSelectTree name -> name.getIdentifier().toString();
            case ParameterizedTypeTree generic -> simpleName(generic.getType());
            case ArrayTypeTree array -> "";
            case null, default -> "";
        };
    }

    private static Set<String> words(String name) {
        return WORD.matcher(name)
                .results()
                .map(word ->
                        PLURAL.matcher(word.group().toLowerCase(Locale.ROOT)).replaceAll(""))
                .collect(Collectors.toSet());
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("memory:///" + file), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
