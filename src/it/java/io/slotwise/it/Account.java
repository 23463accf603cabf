package io.slotwise.it;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;

/**
 * A service account, and the roles that are bound to it.
 *
 * @param plane the control plane that knows it
 * @param namespace where it is
 * @param name its name
 */
public record Account(ControlPlane plane, String namespace, String name) {
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String CLUSTER_ROLE = "ClusterRole";
    private static final String SERVICE_ACCOUNT = "ServiceAccount";

    /** A new one, which has no rights. */
    public static Account create(ControlPlane plane, String namespace, String name) {
        Account account = new Account(plane, namespace, name);
        account.create(new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build());
        return account;
    }

    /** Gives it what a ClusterRole allows, in one namespace. */
    public Account may(String role, String where) {
        create(new RoleBindingBuilder()
                .withNewMetadata()
                .withNamespace(where)
                .withName(binding(role))
                .endMetadata()
                .withNewRoleRef(RBAC, CLUSTER_ROLE, role)
                .addNewSubject("", SERVICE_ACCOUNT, name, namespace)
                .build());
        return this;
    }

    /** Gives it what a ClusterRole allows, in all namespaces. */
    public Account mayEverywhere(String role) {
        create(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(binding(role))
                .endMetadata()
                .withNewRoleRef(RBAC, CLUSTER_ROLE, role)
                .addNewSubject("", SERVICE_ACCOUNT, name, namespace)
                .build());
        return this;
    }

    /** Takes away what {@link #may} gave it. */
    public void mayNot(String role, String where) {
        plane.client()
                .rbac()
                .roleBindings()
                .inNamespace(where)
                .withName(binding(role))
                .delete();
    }

    /** A token for it. */
    public String token() {
        return plane.serviceAccountToken(namespace, name);
    }

    private String binding(String role) {
        return name + "-" + role.replace(':', '-');
    }

    private void create(HasMetadata object) {
        plane.client().resource(object).create();
    }
}
