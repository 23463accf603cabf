package io.slotwise;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

@AnalyzeClasses(packages = "io.slotwise", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The packages in the order of their dependencies. A package uses only itself and packages before it. */
    private static final List<String> ORDER = List.of(
            "core.time",
            "core.money",
            "core.text",
            "core.work",
            "core.resource",
            "core.queue",
            "core.cluster",
            "core.runtime",
            "core.gang",
            "core.slot",
            "core.window",
            "core.combination",
            "core.booking",
            "core.backfill",
            "core.anticipation",
            "core.online",
            "core.ledger",
            "core.migration",
            "core.provision",
            "core.plan",
            "core.planner",
            "core.reservation",
            "random",
            "report",
            "live",
            "kubernetes",
            "demo",
            "observability",
            "web",
            "config",
            "lab.workload",
            "lab.simulation",
            "lab.experiment",
            "lab.report",
            "lab.manifest",
            "cli");

    @ArchTest
    static void packagesUseOnlyThoseBeforeThem(JavaClasses classes) {
        for (int i = 0; i < ORDER.size(); i++) {
            String[] later = ORDER.subList(i + 1, ORDER.size()).stream()
                    .map(name -> "io.slotwise." + name + "..")
                    .toArray(String[]::new);
            if (later.length > 0) {
                noClasses()
                        .that()
                        .resideInAPackage("io.slotwise." + ORDER.get(i) + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(later)
                        .allowEmptyShould(true)
                        .check(classes);
            }
        }
    }

    @ArchTest
    static void everyPackageHasAPlaceInTheOrder(JavaClasses classes) {
        List<String> strangers = classes.stream()
                .map(c -> c.getPackageName())
                .distinct()
                .filter(name -> !name.equals("io.slotwise")
                        && !name.equals("io.slotwise.core")
                        && !name.equals("io.slotwise.lab"))
                .filter(name ->
                        ORDER.stream().noneMatch(known -> (name + ".").startsWith("io.slotwise." + known + ".")))
                .toList();
        Assertions.assertEquals(List.of(), strangers);
    }

    @ArchTest
    static final ArchRule packagesHaveNoCircle =
            slices().matching("io.slotwise.(**)").should().beFreeOfCycles();

    /** Checks the sub-folders of each folder, each taken with everything below it. */
    @ArchTest
    static void foldersHaveNoCircleAtAnyDepth(JavaClasses classes) {
        classes.stream()
                .map(JavaClass::getPackageName)
                .flatMap(ArchitectureTest::foldersAbove)
                .distinct()
                .sorted()
                .forEach(folder -> slices().matching(folder + ".(*)..")
                        .should()
                        .beFreeOfCycles()
                        .allowEmptyShould(true)
                        .check(classes));
    }

    private static Stream<String> foldersAbove(String name) {
        return Stream.iterate(
                        name, folder -> folder.contains("."), folder -> folder.substring(0, folder.lastIndexOf('.')))
                .skip(1)
                .filter(folder -> folder.startsWith("io.slotwise"));
    }

    @ArchTest
    static final ArchRule coreIsPure = noClasses()
            .that()
            .resideInAPackage("io.slotwise.core..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                    "io.slotwise.core..",
                    "java.lang..",
                    "java.math..",
                    "java.time..",
                    "java.util",
                    "java.util.function..",
                    "java.util.random",
                    "java.util.regex..",
                    "java.util.stream..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule coreHasNoClockAndNoThreads = noClasses()
            .that()
            .resideInAPackage("io.slotwise.core..")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.time.Clock.class)
            .orShould()
            .callMethod(Arrays.class, "parallelSort", long[].class);

    @ArchTest
    static final ArchRule coreHasNoRandomSourceOfItsOwn = noClasses()
            .that()
            .resideInAPackage("io.slotwise.core..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(java.util.Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.util.SplittableRandom.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.util.random.RandomGeneratorFactory.class)
            .orShould()
            .callMethod(java.util.random.RandomGenerator.class, "getDefault")
            .orShould()
            .callMethod(java.util.random.RandomGenerator.class, "of", String.class);

    @ArchTest
    static final ArchRule fabric8LivesInKubernetesAlone = noClasses()
            .that()
            .resideOutsideOfPackages("io.slotwise.kubernetes..", "io.slotwise.lab.manifest..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fabric8..");

    @ArchTest
    static final ArchRule picocliLivesInCliAlone = noClasses()
            .that()
            .resideOutsideOfPackage("io.slotwise.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");
}
