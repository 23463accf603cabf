package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** The run history object of a namespace's workloads. */
@Group(Reservation.GROUP)
@Version(Reservation.VERSION)
@Kind("RunHistory")
@Plural("runhistories")
@Singular("runhistory")
public final class NamespaceRunHistory extends NamespaceObject<RunHistorySpec> {
    private static final long serialVersionUID = 1L;
}
