package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** The ledger object of a namespace. */
@Group(Reservation.GROUP)
@Version(Reservation.VERSION)
@Kind("Ledger")
@Plural("ledgers")
@Singular("ledger")
public final class NamespaceLedger extends NamespaceObject<LedgerSpec> {
    private static final long serialVersionUID = 1L;
}
