package io.slotwise;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds code that contains sentences or inspects the text of a message. Sources are parsed, not compiled. A message is
 * a {@code message()} or a local variable initialised from one. Inspecting means calling a string method on the text,
 * comparing it, switching on it, or passing it to a method of the same class that inspects it.
 */
final class ReadSentences {
    /** The string methods that inspect a part of the text. */
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

    /** The methods that compare the whole string. */
    private static final Set<String> COMPARES = Set.of("equals", "compareTo");

    /** The methods that search a string for an argument or compare it with an argument. */
    private static final Set<String> SEARCHES =
            Stream.of(LOOKS, COMPARES, Set.of("compile")).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());

    private ReadSentences() {}

    /** Returns the methods under a folder that inspect a message, as {@code Class.method}. */
    static List<String> under(Path folder) throws IOException {
        return in(sources(folder));
    }

    private static List<JavaFileObject> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<JavaFileObject> sources = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList()) {
                sources.add(new Source(file.getFileName().toString(), Files.readString(file)));
            }
            return sources;
        }
    }

    /** Returns the texts of several words that sources under a folder search strings for, as {@code Class: text}. */
    static List<String> searchedUnder(Path folder) throws IOException {
        return searched(sources(folder));
    }

    /** The same for one source. */
    static List<String> searchedIn(String name, String text) throws IOException {
        return searched(List.of(new Source(name, text)));
    }

    private static List<String> searched(List<JavaFileObject> sources) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (CompilationUnitTree unit : parse(sources)) {
            unit.accept(new Searches(found), null);
        }
        return List.copyOf(found);
    }

    /**
     * Returns the sentences in the sources under a folder, sorted and without duplicates. A sentence is a literal of
     * several words, with whatever is concatenated to it.
     */
    static List<String> sentencesUnder(Path folder) throws IOException {
        return sentences(sources(folder));
    }

    /** The same for one source. */
    static List<String> sentencesIn(String name, String text) throws IOException {
        return sentences(List.of(new Source(name, text)));
    }

    private static List<String> sentences(List<JavaFileObject> sources) throws IOException {
        SortedSet<String> sentences = new TreeSet<>();
        for (CompilationUnitTree unit : parse(sources)) {
            unit.accept(new Sentences(sentences), null);
        }
        return List.copyOf(sentences);
    }

    /** The same for one source. */
    static List<String> in(String name, String text) throws IOException {
        return in(List.of(new Source(name, text)));
    }

    private static List<String> in(List<JavaFileObject> sources) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (CompilationUnitTree unit : parse(sources)) {
            unit.accept(new Finder(found), null);
        }
        return List.copyOf(found);
    }

    private static Iterable<? extends CompilationUnitTree> parse(List<JavaFileObject> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        return ((JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources)).parse();
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

    /** At least two words in a row, as in a sentence. */
    private static final Pattern WORDS = Pattern.compile("[A-Za-z]{2,}\\)*[,:;]? \\(*[A-Za-z]");

    private static final class Sentences extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final Set<String> sentences;

        Sentences(Set<String> sentences) {
            this.sentences = sentences;
        }

        @Override
        public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void none) {
            if (tree.getKind() != Tree.Kind.PLUS) {
                return super.visitBinary(tree, null);
            }
            note(template(tree));
            return null;
        }

        @Override
        public @Nullable Void visitLiteral(LiteralTree tree, @Nullable Void none) {
            if (tree.getValue() instanceof String text) {
                note(text);
            }
            return null;
        }

        /**
         * Returns a concatenation with <code>{}</code> for every part that is not a literal. Sentences inside such a
         * part are collected on their own.
         */
        private String template(Tree tree) {
            if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
                return template(sum.getLeftOperand()) + template(sum.getRightOperand());
            }
            if (tree instanceof LiteralTree literal) {
                return String.valueOf(literal.getValue());
            }
            tree.accept(this, null);
            return "{}";
        }

        private void note(String text) {
            if (WORDS.matcher(text).find()) {
                sentences.add(text.replace("\n", "\\n").replace("\r", "\\r"));
            }
        }
    }

    /**
     * Finds literals of several words that a string is searched for. A literal is given directly or by a constant or
     * variable of the same source.
     */
    private static final class Searches extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final Set<String> found;
        private final Map<String, String> named = new HashMap<>();
        private String place = "";

        Searches(Set<String> found) {
            this.found = found;
        }

        @Override
        public @Nullable Void visitCompilationUnit(CompilationUnitTree unit, @Nullable Void none) {
            unit.accept(
                    new TreeScanner<@Nullable Void, @Nullable Void>() {
                        @Override
                        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void nothing) {
                            named.merge(
                                    tree.getName().toString(),
                                    words(tree.getInitializer()),
                                    (one, other) -> one + other);
                            return super.visitVariable(tree, null);
                        }
                    },
                    null);
            return super.visitCompilationUnit(unit, null);
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, @Nullable Void none) {
            String outer = place;
            place = tree.getSimpleName().toString();
            super.visitClass(tree, null);
            place = outer;
            return null;
        }

        @Override
        public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void none) {
            if (call.getMethodSelect() instanceof MemberSelectTree select
                    && SEARCHES.contains(select.getIdentifier().toString())) {
                note(select.getExpression());
                call.getArguments().forEach(this::note);
            }
            return super.visitMethodInvocation(call, null);
        }

        private void note(Tree tree) {
            String words = words(tree);
            if (WORDS.matcher(words).find()) {
                found.add(place + ": " + words.strip().lines().findFirst().orElse(""));
            }
        }

        /**
         * Returns the text of a literal, of concatenated literals, or of a named constant or variable; an empty string
         * for anything else.
         */
        private String words(@Nullable Tree tree) {
            return switch (tree) {
                case ParenthesizedTree inner -> words(inner.getExpression());
                case LiteralTree literal when literal.getValue() instanceof String text -> text;
                case BinaryTree sum -> words(sum.getLeftOperand()) + words(sum.getRightOperand());
                case IdentifierTree name -> named.getOrDefault(name.getName().toString(), "");
                case null, default -> "";
            };
        }
    }

    /** Finds the methods of one source that inspect a message. */
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

        /** Returns whether a call passes a message to a method of this class that inspects it. */
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

    /** Returns whether a call inspects or compares one of these strings. */
    private static boolean looks(MethodInvocationTree call, Predicate<Tree> strings) {
        return call.getMethodSelect() instanceof MemberSelectTree select
                && (LOOKS.contains(select.getIdentifier().toString())
                        || COMPARES.contains(select.getIdentifier().toString()))
                && (strings.test(select.getExpression())
                        || call.getArguments().stream().anyMatch(strings));
    }
}
