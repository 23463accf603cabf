package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import org.jspecify.annotations.Nullable;

/**
 * An object of which a namespace has one, named {@link #NAME}. Everything is in {@code spec}: one write, one version.
 *
 * @param <S> its specification
 */
public abstract class NamespaceObject<S> extends CustomResource<S, Void> implements Namespaced {
    /** The only name. */
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
