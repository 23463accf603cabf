package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import org.jspecify.annotations.Nullable;

/**
 * An object that exists once per namespace, named {@link #NAME}. All content is in {@code spec}, so each write makes
 * one version.
 *
 * @param <S> its specification
 */
public abstract class NamespaceObject<S> extends CustomResource<S, Void> implements Namespaced {
    public static final String NAME = "slotwise";

    private static final long serialVersionUID = 1L;

    @Override
    protected @Nullable S initSpec() {
        return null;
    }

    @Override
    protected @Nullable Void initStatus() {
        return null;
    }
}
