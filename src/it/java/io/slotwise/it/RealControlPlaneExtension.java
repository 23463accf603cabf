package io.slotwise.it;

import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts one {@link ControlPlane} per test class, which ends with the class. */
final class RealControlPlaneExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(RealControlPlaneExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ControlPlane.class;
    }

    @Override
    public ControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> test = context.getRequiredTestClass();
        ExtensionContext.Store store = classContext(context).getStore(NAMESPACE);
        RealControlPlane asked = test.getAnnotation(RealControlPlane.class);
        return store.computeIfAbsent(
                test,
                key -> ControlPlane.start(
                        test.getSimpleName(),
                        asked == null ? List.of() : List.of(asked.featureGates()),
                        asked != null && asked.auditsRights() ? "audit-rights.yaml" : ControlPlane.AUDIT),
                ControlPlane.class);
    }

    /** The class's context: that of a constructor or lifecycle method, or the parent of a test method's. */
    private static ExtensionContext classContext(ExtensionContext context) {
        ExtensionContext found = context;
        while (found.getTestMethod().isPresent()) {
            found = found.getParent().orElseThrow();
        }
        return found;
    }
}
