package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.SharedPurchase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node of a gang's window that is bought for another gang.
 *
 * @param node its name until it is there, which is that of its NodeClaim
 * @param offer what is bought
 * @param boughtFor the name of that gang in this namespace; null: it is one of another namespace
 * @param end until when pods can be on it, RFC 3339
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record SharedNodeSpec(
        String node, String offer, @Nullable String boughtFor, String end) {
    static SharedNodeSpec of(SharedPurchase shared) {
        GangId buyer = shared.buyer();
        return new SharedNodeSpec(
                shared.node(),
                shared.offer(),
                buyer == null ? null : buyer.name(),
                Instant.ofEpochSecond(shared.end()).toString());
    }

    /**
     * What the planner knows of it.
     *
     * @throws IllegalArgumentException if it says something that Slotwise never writes
     */
    SharedPurchase shared(String namespace) {
        if (node == null || offer == null || end == null) {
            throw new IllegalArgumentException("`spec.sharedNodes` lacks a field: expected node, offer and end");
        }
        return new SharedPurchase(
                node,
                offer,
                Instant.parse(end).getEpochSecond(),
                boughtFor == null ? null : new GangId(namespace, boughtFor));
    }
}
