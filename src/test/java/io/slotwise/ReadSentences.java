package io.slotwise;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds in sources, which are parsed and not compiled, where a {@code message()}, or a local variable that was made from one, is looked into: by a method
 * of strings, by a comparison, by a {@code switch}, or by a method of the same class that it is handed to.
 */
final class ReadSentences {
    /** Methods of a string that look into it. */
    static final Set<String> LOOKS = Set.of(
            "contains",
            "matches",
            "replace",
            "replaceAll",
            "replaceFirst",
            "startsWith",
            "endsWith",
            "indexOf",
            "lastIndexOf",
            "split",
            "substring",
            "regionMatches",
            "equalsIgnoreCase");

    /** Methods of a string that compare the whole of it. */
    private static final Set<String> COMPARES = Set.of("equals", "compareTo");

    private ReadSentences() {}

    /** The methods under a folder that do so, as {@code Class.method}. */
    static List<String> under(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<JavaFileObject> sources = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                sources.add(new Source(file.getFileName().toString(), Files.readString(file)));
            }
            return in(sources);
        }
    }

    /** The methods of one source that do so. */
    static List<String> in(String name, String text) throws IOException {
        return in(List.of(new Source(name, text)));
    }

    private static List<String> in(List<JavaFileObject> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
        Set<String> found = new LinkedHashSet<>();
        for (CompilationUnitTree unit : task.parse()) {
            unit.accept(new Finder(found), null);
        }
        return List.copyOf(found);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Walks through the classes of one source. */
    private static final class Finder extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final Set<String> found;
        private @Nullable ClassTree type;
        private @Nullable MethodTree method;
        private Set<String> sentences = new HashSet<>();

        Finder(Set<String> found) {
            this.found = found;
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void none) {
            ClassTree outer = type;
            type = tree;
            super.visitClass(tree, null);
            type = outer;
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, @Nullable Void none) {
            MethodTree outer = method;
            Set<String> before = sentences;
            method = tree;
            sentences = new HashSet<>();
            super.visitMethod(tree, null);
            method = outer;
            sentences = before;
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void none) {
            if (method != null && isSentence(tree.getInitializer())) {
                sentences.add(tree.getName().toString());
            }
            return super.visitVariable(tree, null);
        }

        @Override
        public @Nullable Void visitSwitch(SwitchTree tree, @Nullable Void none) {
            note(isSentence(tree.getExpression()));
            return super.visitSwitch(tree, null);
        }

        @Override
        public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, @Nullable Void none) {
            note(isSentence(tree.getExpression()));
            return super.visitSwitchExpression(tree, null);
        }

        @Override
        public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void none) {
            note(looks(call, this::isSentence) || isReadBy(call));
            return super.visitMethodInvocation(call, null);
        }

        private void note(boolean reads) {
            if (reads) {
                found.add("%s.%s"
                        .formatted(
                                type == null ? "" : type.getSimpleName(),
                                method == null ? "a field" : method.getName()));
            }
        }

        private boolean isSentence(@Nullable Tree tree) {
            return switch (tree) {
                case ParenthesizedTree inner -> isSentence(inner.getExpression());
                case MethodInvocationTree call ->
                    call.getArguments().isEmpty()
                            && call.getMethodSelect() instanceof MemberSelectTree select
                            && select.getIdentifier().contentEquals("message");
                case IdentifierTree name -> sentences.contains(name.getName().toString());
                case null, default -> false;
            };
        }

        /** Whether a method of this class that is called here looks into a sentence that it is handed. */
        private boolean isReadBy(MethodInvocationTree call) {
            if (type == null || !(call.getMethodSelect() instanceof IdentifierTree called)) {
                return false;
            }
            List<? extends ExpressionTree> arguments = call.getArguments();
            for (Tree member : type.getMembers()) {
                if (member instanceof MethodTree target
                        && target.getName().equals(called.getName())
                        && target.getParameters().size() == arguments.size()) {
                    for (int i = 0; i < arguments.size(); i++) {
                        if (isSentence(arguments.get(i))
                                && looksInto(
                                        target,
                                        target.getParameters().get(i).getName().toString())) {
                            return true;
                        }
                    }
                }
            }
            return false;
        }
    }

    private static boolean looksInto(MethodTree method, String parameter) {
        boolean[] looks = {false};
        method.accept(
                new TreeScanner<@Nullable Void, @Nullable Void>() {
                    @Override
                    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void none) {
                        looks[0] |= looks(
                                call,
                                tree -> tree instanceof IdentifierTree name
                                        && name.getName().contentEquals(parameter));
                        return super.visitMethodInvocation(call, null);
                    }
                },
                null);
        return looks[0];
    }

    /** Whether a call looks into one of these strings: asks it, or compares it. */
    private static boolean looks(MethodInvocationTree call, Predicate<Tree> strings) {
        return call.getMethodSelect() instanceof MemberSelectTree select
                && (LOOKS.contains(select.getIdentifier().toString())
                        || COMPARES.contains(select.getIdentifier().toString()))
                && (strings.test(select.getExpression())
                        || call.getArguments().stream().anyMatch(strings));
    }
}
