package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/**
 * What the gangs of a namespace cost; one a namespace, named {@link #NAME}. Everything is in {@code spec}: one write,
 * one version.
 */
@Group(Reservation.GROUP)
@Version(Reservation.VERSION)
@Kind("Ledger")
@Plural("ledgers")
@Singular("ledger")
public final class NamespaceLedger extends CustomResource<LedgerSpec, Void> implements Namespaced {
    /** The only name. */
    public static final String NAME = "slotwise";

    private static final long serialVersionUID = 1L;

    @Override
    protected @Nullable LedgerSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable Void initStatus() {
        return null;
    }
}
