package io.slotwise.it;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a control plane of its own, as a parameter of type {@link ControlPlane}. It is started before the
 * first test that asks for it.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RealControlPlaneExtension.class)
public @interface RealControlPlane {
    /** The feature gate for the PodGroups of Kubernetes, in the API server and in kube-scheduler. */
    String POD_GROUPS = "GenericWorkload";

    /** The feature gate for the topology of PodGroups. Needs {@link #POD_GROUPS}. */
    String POD_GROUP_TOPOLOGY = "TopologyAwareWorkloadScheduling";

    /** The feature gate by which the Job controller makes a PodGroup for each Job. Needs {@link #POD_GROUPS}. */
    String JOB_WORKLOADS = "WorkloadWithJob";

    /** The enabled feature gates of Kubernetes. */
    String[] featureGates() default {};

    /**
     * If true, the audit log has every request of the accounts in the chart's namespace, including reads, and nothing
     * else.
     */
    boolean auditsRights() default false;
}
