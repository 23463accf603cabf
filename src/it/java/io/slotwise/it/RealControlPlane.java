package io.slotwise.it;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a control plane of its own, started before its first test that asks for one: a parameter of type
 * {@link ControlPlane}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealControlPlaneExtension.class)
public @interface RealControlPlane {
    /** Whether the API server and kube-scheduler have the PodGroups of Kubernetes, which a feature gate turns on. */
    boolean podGroups() default false;

    /** Whether the audit log has every request of the chart's service account, reads among them, and nothing else. */
    boolean auditsRights() default false;
}
