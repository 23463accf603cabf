package io.slotwise.kubernetes.manifest.device;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.device.DeviceSelectors.Answer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The expressions by which classes and requests select devices: the Common Expression Language with the Kubernetes
 * extensions for devices (quantities, semantic versions, {@code cel.bind}, functions of strings and lists). The API
 * server has checked them. An expression that this class cannot evaluate is reported as a problem.
 */
final class DeviceLanguage {
    /** The API server's limit. */
    private static final int LONGEST = 10 * 1024;

    private static final int MOST_ITERATIONS = 10_000;

    private DeviceLanguage() {}

    interface Reading {
        Answer of(Device device, SelectorSteps steps);
    }

    /** Created with the first expression, because most clusters have none. */
    private static final class Made {
        private static final CelOptions OPTIONS = CelOptions.current()
                .comprehensionMaxIterations(MOST_ITERATIONS)
                .enableHeterogeneousNumericComparisons(true)
                .build();
        private static final CelCompiler PARSER = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(CelExtensions.bindings(), CelExtensions.strings(), CelExtensions.lists())
                .build();
        private static final CelRuntime RUNTIME = CelRuntimeFactory.plannerRuntimeBuilder()
                .setOptions(OPTIONS)
                // CEL's own IN looks the value up in the map, and an absent domain has a value: nothing.
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .excludeFunctions(
                                CelStandardFunctions.StandardFunction.IN, CelStandardFunctions.StandardFunction.MATCHES)
                        .build())
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.lists(EnumSet.complementOf(EnumSet.of(CelListsExtensions.Function.RANGE))))
                .addFunctionBindings(functions())
                .build();
    }

    private static List<CelFunctionBinding> functions() {
        List<CelFunctionBinding> all = new ArrayList<>();
        add(
                all,
                "@in",
                CelFunctionBinding.from("in_keys", Object.class, Map.class, (key, map) -> map.containsKey(key)),
                CelFunctionBinding.from("in_items", Object.class, List.class, (item, list) -> list.contains(item)));
        add(
                all,
                "matches",
                CelFunctionBinding.from("matches", String.class, String.class, SelectorSteps::matches),
                CelFunctionBinding.from("matches_string", String.class, String.class, SelectorSteps::matches));
        add(all, "lists.range", CelFunctionBinding.from("lists_range", Long.class, SelectorSteps::range));
        add(all, "quantity", CelFunctionBinding.from("string_to_quantity", String.class, DeviceQuantity::parse));
        add(all, "isQuantity", CelFunctionBinding.from("is_quantity_string", String.class, DeviceQuantity::isOne));
        add(all, "semver", CelFunctionBinding.from("string_to_semver", String.class, DeviceVersion::parse));
        add(all, "isSemver", CelFunctionBinding.from("is_semver_string", String.class, DeviceVersion::isOne));
        add(all, "major", CelFunctionBinding.from("semver_major", DeviceVersion.class, DeviceVersion::major));
        add(all, "minor", CelFunctionBinding.from("semver_minor", DeviceVersion.class, DeviceVersion::minor));
        add(all, "patch", CelFunctionBinding.from("semver_patch", DeviceVersion.class, DeviceVersion::patch));
        addFiguresOfQuantities(all);
        addComparison(all, "compareTo", "compare_to", order -> (long) Integer.signum(order));
        addComparison(all, "isGreaterThan", "is_greater_than", order -> order > 0);
        addComparison(all, "isLessThan", "is_less_than", order -> order < 0);
        return all;
    }

    private static void addFiguresOfQuantities(List<CelFunctionBinding> all) {
        add(all, "sign", ofQuantity("quantity_sign", DeviceQuantity::signum));
        add(all, "isInteger", ofQuantity("quantity_is_integer", DeviceQuantity::isInteger));
        add(all, "asInteger", ofQuantity("quantity_get_int", DeviceQuantity::asInteger));
        add(
                all,
                "asApproximateFloat",
                ofQuantity("quantity_get_float", quantity -> quantity.amount().doubleValue()));
        addSum(all, "add", DeviceQuantity::plus);
        addSum(all, "sub", DeviceQuantity::minus);
    }

    private static CelFunctionBinding ofQuantity(String name, CelFunctionOverload.Unary<DeviceQuantity> function) {
        return CelFunctionBinding.from(name, DeviceQuantity.class, function);
    }

    @SuppressWarnings("Immutable") // The functions hold only values.
    private static void addSum(List<CelFunctionBinding> all, String name, BinaryOperator<DeviceQuantity> function) {
        add(
                all,
                name,
                CelFunctionBinding.from(
                        "quantity_" + name, DeviceQuantity.class, DeviceQuantity.class, function::apply),
                CelFunctionBinding.from(
                        "quantity_" + name + "_int",
                        DeviceQuantity.class,
                        Long.class,
                        (quantity, number) -> function.apply(quantity, DeviceQuantity.parse(number.toString()))));
    }

    @SuppressWarnings("Immutable") // The functions hold only values.
    private static void addComparison(
            List<CelFunctionBinding> all, String name, String overload, IntFunction<Object> answer) {
        add(
                all,
                name,
                CelFunctionBinding.from(
                        "quantity_" + overload,
                        DeviceQuantity.class,
                        DeviceQuantity.class,
                        (quantity, other) -> answer.apply(quantity.compareTo(other))),
                CelFunctionBinding.from(
                        "semver_" + overload,
                        DeviceVersion.class,
                        DeviceVersion.class,
                        (version, other) -> answer.apply(version.compareTo(other))));
    }

    private static void add(List<CelFunctionBinding> all, String name, CelFunctionBinding... overloads) {
        all.addAll(CelFunctionBinding.fromOverloads(name, overloads));
    }

    static Reading read(String expression) {
        if (expression.length() > LONGEST) {
            return problem("it is longer than %d characters".formatted(LONGEST));
        }
        try {
            CelRuntime.Program program =
                    Made.RUNTIME.createProgram(Made.PARSER.parse(expression).getAst());
            return (device, steps) -> {
                Answer answer = Isolated.get(
                        () -> answer(program, expression, device, steps), error -> failed(expression, device, error));
                // "Or" and "and" ignore a part that failed.
                return steps.isTooMany()
                        ? failed(expression, device, "more than %,d steps".formatted(SelectorSteps.MOST))
                        : answer;
            };
        } catch (CelValidationException | CelEvaluationException | RuntimeException e) {
            return problem("the selector %s cannot be read: %s".formatted(SafeText.value(expression), words(e)));
        }
    }

    private static Reading problem(String problem) {
        return (_, _) -> new Answer(false, problem);
    }

    private static Answer answer(CelRuntime.Program program, String expression, Device device, SelectorSteps steps) {
        try {
            Map<String, Object> variables = Map.of("device", variable(device));
            Object answer = steps.count(() -> program.trace(variables, steps));
            return answer instanceof Boolean meant
                    ? meant ? Answer.YES : Answer.NO
                    : new Answer(
                            false,
                            "the selector %s gives %s for device %s: expected true or false"
                                    .formatted(
                                            SafeText.value(expression),
                                            SafeText.value(String.valueOf(answer)),
                                            device));
        } catch (CelEvaluationException e) {
            return failed(expression, device, e);
        }
    }

    private static Answer failed(String expression, Device device, Throwable error) {
        return failed(expression, device, words(error));
    }

    private static Answer failed(String expression, Device device, String cause) {
        return new Answer(
                false, "the selector %s fails for device %s: %s".formatted(SafeText.value(expression), device, cause));
    }

    private static String words(Throwable error) {
        String message = error.getMessage();
        return SafeText.value(
                message == null
                        ? error.getClass().getSimpleName()
                        : message.lines().findFirst().orElse(""));
    }

    private static Map<String, Object> variable(Device device) {
        String driver = device.id().driver();
        Domains attributesDomains = new Domains();
        if (device.object().getAttributes() != null) {
            device.object()
                    .getAttributes()
                    .forEach((name, attribute) -> attributesDomains.put(driver, name, value(attribute)));
        }
        Domains capacityDomains = new Domains();
        if (device.object().getCapacity() != null) {
            device.object()
                    .getCapacity()
                    .forEach((name, amount) -> capacityDomains.put(driver, name, DeviceQuantity.of(amount.getValue())));
        }
        return Map.of(
                "driver",
                driver,
                "allowMultipleAllocations",
                Boolean.TRUE.equals(device.object().getAllowMultipleAllocations()),
                "attributes",
                attributesDomains,
                "capacity",
                capacityDomains);
    }

    private static Object value(DeviceAttribute attribute) {
        List<@Nullable Object> one = new ArrayList<>();
        one.add(attribute.getInt());
        one.add(attribute.getBool());
        one.add(attribute.getString());
        one.add(attribute.getVersion() == null ? null : DeviceVersion.parse(attribute.getVersion()));
        for (Object value : one) {
            if (value != null) {
                return value;
            }
        }
        throw new IllegalArgumentException("an attribute has a value of a type that is not known");
    }

    /** Maps by domain. An absent domain is an empty map. */
    private static final class Domains extends HashMap<String, Object> {
        private static final long serialVersionUID = 1;

        void put(String domain, String name, Object value) {
            int slash = name.indexOf('/');
            Map<String, Object> names = of(slash < 0 ? domain : name.substring(0, slash));
            names.put(name.substring(slash + 1), value);
        }

        @SuppressWarnings("unchecked")
        private Map<String, Object> of(String domain) {
            return (Map<String, Object>) computeIfAbsent(domain, _ -> new HashMap<String, Object>());
        }

        @Override
        public Object get(Object domain) {
            return getOrDefault(domain, Map.of());
        }
    }
}
