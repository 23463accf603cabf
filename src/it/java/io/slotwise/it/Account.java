package io.slotwise.it;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A service account and the roles that are bound to it.
 *
 * @param plane the control plane of the account
 */
public record Account(ControlPlane plane, String namespace, String name) {
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String CLUSTER_ROLE = "ClusterRole";
    private static final String SERVICE_ACCOUNT = "ServiceAccount";

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

    /** Grants the rights of a ClusterRole in one namespace, and waits until the API server applies them. */
    public Account may(String role, String where) {
        create(new RoleBindingBuilder()
                .withNewMetadata()
                .withNamespace(where)
                .withName(binding(role))
                .endMetadata()
                .withNewRoleRef(RBAC, CLUSTER_ROLE, role)
                .addNewSubject("", SERVICE_ACCOUNT, name, namespace)
                .build());
        awaitRights(role, where);
        return this;
    }

    /** Grants the rights of a ClusterRole in all namespaces, and waits until the API server applies them. */
    public Account mayEverywhere(String role) {
        create(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(binding(role))
                .endMetadata()
                .withNewRoleRef(RBAC, CLUSTER_ROLE, role)
                .addNewSubject("", SERVICE_ACCOUNT, name, namespace)
                .build());
        awaitRights(role, null);
        return this;
    }

    /**
     * Waits until the API server knows the binding. Slotwise keeps an earlier refusal for a minute.
     *
     * @param where a namespace, or null for all
     */
    private void awaitRights(String role, @Nullable String where) {
        PolicyRule rule = Objects.requireNonNull(
                        plane.client().rbac().clusterRoles().withName(role).get(), role)
                .getRules()
                .getFirst();
        plane.await(
                "the API server to know what " + namespace + "/" + name + " may",
                () -> plane.client()
                        .authorization()
                        .v1()
                        .subjectAccessReview()
                        .create(review(rule, where))
                        .getStatus()
                        .getAllowed());
    }

    private SubjectAccessReview review(PolicyRule rule, @Nullable String where) {
        SubjectAccessReviewBuilder review = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:" + namespace + ":" + name)
                .withGroups("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated")
                .endSpec();
        String verb = rule.getVerbs().getFirst();
        if (rule.getResources().isEmpty()) {
            return review.editSpec()
                    .withNewNonResourceAttributes()
                    .withPath(rule.getNonResourceURLs().getFirst())
                    .withVerb(verb)
                    .endNonResourceAttributes()
                    .endSpec()
                    .build();
        }
        String[] resource = rule.getResources().getFirst().split("/", 2);
        return review.editSpec()
                .withNewResourceAttributes()
                .withGroup(rule.getApiGroups().getFirst())
                .withResource(resource[0])
                .withSubresource(resource.length > 1 ? resource[1] : "")
                .withVerb(verb)
                .withNamespace(where)
                .endResourceAttributes()
                .endSpec()
                .build();
    }

    /** Revokes what {@link #may} granted. */
    public void mayNot(String role, String where) {
        plane.client()
                .rbac()
                .roleBindings()
                .inNamespace(where)
                .withName(binding(role))
                .delete();
    }

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
