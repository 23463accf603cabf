package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that no production code reads a message back. Code decides on values, and messages are for people.
 *
 * <p>The test finds four kinds of code. (1) A method, with its lambdas, that takes the message of a reason, a record,
 * an announcement, an answer or an {@link IllegalArgumentException} and inspects any string. (2) Any regular expression
 * in the packages that decide about reasons and show them. (3) In the sources, a {@code message()} that is compared,
 * switched on, or passed to an inspecting method of the same class ({@link ReadSentences}). (4) A call that searches
 * any string for a literal of several words. It does not find a message that is first passed to another class or stored
 * in a field and then searched for a single word. Messages of other programs are exempt.
 */
@AnalyzeClasses(packages = "io.slotwise", importOptions = ImportOption.DoNotIncludeTests.class)
class SentencesTest {
    /** The types whose {@code message()} is a sentence for people. */
    private static final List<Class<?>> TELLERS = List.of(
            ReasonStatement.class,
            BrokenPromise.class,
            GangRecord.Aspect.class,
            EventRecorder.Announcement.class,
            ClusterView.Notice.class,
            WaitExplainer.Waiting.class,
            io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus.Condition.class,
            io.slotwise.report.GangListReport.GangRow.class,
            io.slotwise.web.GangAnswer.class,
            io.slotwise.web.board.Board.GangRow.class);

    /**
     * The methods that parse what a person wrote and repeat the parser's message in their own without inspecting it.
     */
    private static final Set<String> REPEAT = Set.of(
            "io.slotwise.cli.study.StudyOptions.failures(java.lang.String)",
            "io.slotwise.kubernetes.manifest.prices.PriceCalendar.parse(java.lang.String, "
                    + "io.slotwise.kubernetes.manifest.prices.PriceCalendar$Values)",
            "io.slotwise.lab.workload.traces.MetacentrumReader.parts(io.slotwise.lab.workload.log.LogRow, long)");

    /**
     * The allowed searches: a placeholder in a script, names of series in shards, and messages of a parser and of the
     * API server.
     */
    private static final Set<String> OTHERS_WORDS = Set.of(
            "CompletionCommand: # The names of gangs, of which a running Slotwise knows: only asked "
                    + "for where one is expected.",
            "ApiRefusal: admission webhook \"([^\"]+)\"",
            "ApiRefusal: because it is being terminated",
            "ApiRefusal: not yet ready to handle request",
            "GridFindings: average response time",
            "TwoReadings: with this reading:",
            "ManifestDocuments: special characters are not allowed");

    private static final List<String> DECIDERS = List.of("live", "report", "web", "core.plan", "core.reservation");

    @ArchTest
    static void noMethodLooksIntoASentence(JavaClasses classes) {
        assertThat(readers(classes)).containsExactlyInAnyOrderElementsOf(REPEAT);
    }

    @ArchTest
    static void decisionsAboutReasonsUseNoRegularExpressions(JavaClasses classes) {
        List<String> found = classes.stream()
                .filter(type -> DECIDERS.stream()
                        .anyMatch(part -> type.getPackageName().equals("io.slotwise." + part)
                                || type.getPackageName().startsWith("io.slotwise." + part + ".")))
                .flatMap(type -> type.getCodeUnits().stream())
                .flatMap(unit -> unit.getMethodCallsFromSelf().stream())
                .filter(SentencesTest::isRegularExpression)
                .map(JavaMethodCall::getDescription)
                .toList();

        assertThat(found).isEmpty();
    }

    @Test
    void noSourceComparesSentencesOrPassesThemToCodeThatDoes() throws IOException {
        // The method puts cells with a comma in quotes, whatever their text is.
        assertThat(ReadSentences.under(Path.of("src/main/java"))).containsExactly("GangListReport.csv");
    }

    @Test
    void noSourceSearchesForWordsOtherThanThoseOfOtherPrograms() throws IOException {
        assertThat(ReadSentences.searchedUnder(Path.of("src/main/java")))
                .containsExactlyInAnyOrderElementsOf(OTHERS_WORDS);
    }

    @Test
    void aSourceThatSearchesForWordsIsFound() throws IOException {
        String source = """
            class Source {
                static final Pattern OURS = Pattern.compile("(^|\\\\d )waits for (a plan|a window)");
                static final String PROMISED = "promised on " + "node";
                boolean own(Condition told) { return told.getMessage().startsWith(PROMISED); }
                boolean same(String told) { return "not planned yet".equals(told); }
                boolean key(String told) { return told.contains("[slotwise.io/waiting]"); }
                String say() { return "not planned yet".formatted(); }
            }
            """;

        assertThat(ReadSentences.searchedIn("Source.java", source))
                .containsExactly(
                        "Source: (^|\\d )waits for (a plan|a window)",
                        "Source: promised on node",
                        "Source: not planned yet");
    }

    @Test
    void aSourceThatReadsASentenceBackIsFound() throws IOException {
        String source = """
            class Source {
                boolean compared(Refusal refusal, String told) { return told.equals(refusal.message()); }
                boolean byObjects(Refusal refusal, String told) { return Objects.equals(told, (refusal.message())); }
                boolean kept(Refusal refusal) { String words = refusal.message(); return words.startsWith("behind"); }
                boolean handedOn(Refusal refusal) { return 1 == read(1, refusal.message()); }
                int read(int other, String words) { return words.indexOf(": "); }
                int chosen(Refusal refusal) { return switch (refusal.message()) { case "behind" -> 1; default -> 0; }; }
                String shown(Refusal refusal) { return Shown.line(show(refusal.message())); }
                String show(String words) { return "why: " + words; }
                boolean aboutAnother(Refusal refusal, String name) { String words = refusal.message(); return name.equals("a"); }
            }
            """;

        assertThat(ReadSentences.in("Source.java", source))
                .containsExactly(
                        "Source.compared", "Source.byObjects", "Source.kept", "Source.handedOn", "Source.chosen");
    }

    @Test
    void aMethodThatReadsASentenceIsFound() {
        JavaClasses bad = new ClassFileImporter().importClasses(Bad.class, Good.class);

        assertThat(readers(bad))
                .hasSize(3)
                .allMatch(method -> method.contains("Bad."))
                .noneMatch(method -> method.contains("Good."));
        assertThat(bad.get(Bad.class).getCodeUnits().stream()
                        .flatMap(unit -> unit.getMethodCallsFromSelf().stream())
                        .filter(SentencesTest::isRegularExpression))
                .isNotEmpty();
    }

    private static List<String> readers(JavaClasses classes) {
        return classes.stream()
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> tells(unit) && looks(unit))
                .map(JavaCodeUnit::getFullName)
                .sorted()
                .toList();
    }

    private static boolean tells(JavaCodeUnit unit) {
        return unit.getMethodCallsFromSelf().stream()
                .anyMatch(call -> (call.getName().equals("message") && isTeller(call.getTargetOwner()))
                        || (call.getName().equals("getMessage")
                                && call.getTargetOwner().isAssignableTo(IllegalArgumentException.class)));
    }

    private static boolean isTeller(JavaClass owner) {
        return TELLERS.stream().anyMatch(owner::isAssignableTo);
    }

    private static boolean looks(JavaCodeUnit unit) {
        return unit.getMethodCallsFromSelf().stream()
                .anyMatch(call -> isRegularExpression(call)
                        || (call.getTargetOwner().isEquivalentTo(String.class)
                                && ReadSentences.LOOKS.contains(call.getName())));
    }

    private static boolean isRegularExpression(JavaMethodCall call) {
        return call.getTargetOwner().getPackageName().equals("java.util.regex")
                || (call.getTargetOwner().isEquivalentTo(String.class)
                        && Set.of("matches", "replaceAll", "replaceFirst").contains(call.getName()));
    }

    /** Code that the test must find. */
    static final class Bad {
        private Bad() {}

        static boolean byWord(Refusal refusal) {
            return refusal.message().contains("behind");
        }

        static String byLambda(List<Refusal> refusals) {
            return refusals.stream()
                    .map(refusal -> Pattern.compile("[a-z]+/[a-z]+")
                            .matcher(refusal.message())
                            .replaceAll("hidden"))
                    .findFirst()
                    .orElse("");
        }

        static String ofAnError(String text) {
            try {
                return String.valueOf(Integer.parseInt(text));
            } catch (IllegalArgumentException e) {
                return String.valueOf(e.getMessage()).replace("For input string", "");
            }
        }
    }

    /** Code that the test must not report. */
    static final class Good {
        private Good() {}

        static Stream<GangId> byValue(Refusal refusal) {
            return refusal.gangs().stream();
        }

        static String shown(Refusal refusal) {
            return refusal.asSeen("user"::equals).message();
        }
    }
}
