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
    /** The PodGroups of Kubernetes, in the API server and in kube-scheduler. */
    String POD_GROUPS = "GenericWorkload";

    /** A PodGroup for each Job, made by the Job controller; needs {@link #POD_GROUPS}. */
    String JOB_WORKLOADS = "WorkloadWithJob";

    /** The feature gates of Kubernetes that are turned on. */
    String[] featureGates() default {};

    /**
     * Whether the audit log has every request of the accounts in the chart's namespace, reads among them, and nothing
     * else.
     */
    boolean auditsRights() default false;
}
