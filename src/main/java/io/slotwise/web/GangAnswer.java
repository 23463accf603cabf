package io.slotwise.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one gang.
 *
 * @param gang {@code namespace/name}
 * @param reservation the name of its Reservation
 * @param phase where it stands
 * @param next what happens next, in one sentence
 * @param spec its Reservation's
 * @param status its Reservation's; null: none is written yet
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record GangAnswer(
        String gang,
        String reservation,
        String phase,
        String next,
        ReservationSpec spec,
        @Nullable ReservationStatus status) {
    static GangAnswer of(Reservation reservation) {
        return new GangAnswer(
                String.valueOf(reservation.gang()),
                reservation.getMetadata().getName(),
                reservation.phase().key(),
                next(reservation),
                reservation.getSpec(),
                reservation.getStatus());
    }

    private static String next(Reservation reservation) {
        return switch (reservation.phase()) {
            case PENDING, BROKEN -> "it waits: " + planned(reservation);
            case PROMISED -> "its pods start together at " + start(reservation);
            case STARTING -> "its pods are on their way to their nodes; they start together at " + start(reservation);
            case RUNNING -> "it runs; its planned end is " + end(reservation);
            case COMPLETED -> "it has ended";
        };
    }

    private static String planned(Reservation reservation) {
        ReservationStatus status = reservation.getStatus();
        return status == null
                ? "not planned yet"
                : status.conditions().stream()
                        .filter(condition -> condition.type().equals("Planned"))
                        .map(ReservationStatus.Condition::message)
                        .findFirst()
                        .orElse("not planned yet");
    }

    private static String start(Reservation reservation) {
        return reservation.window() == null
                ? "an unknown time"
                : reservation.window().start();
    }

    private static String end(Reservation reservation) {
        return reservation.window() == null ? "not known" : reservation.window().end();
    }
}
