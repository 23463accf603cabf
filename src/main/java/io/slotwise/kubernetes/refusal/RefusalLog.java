package io.slotwise.kubernetes.refusal;

import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/** Reports each refusal of the API server to an admin once: the account, the cause and the remedy. */
public final class RefusalLog {
    private static final Logger LOG = Logger.getLogger(RefusalLog.class);

    private final KubernetesClient client;
    private final Executor executor;

    /**
     * @param client looks up its account
     * @param executor runs one task for each refusal
     */
    public RefusalLog(KubernetesClient client, Executor executor) {
        this.client = client;
        this.executor = executor;
    }

    /** Reports the refusals of these calls from now on. */
    public void follow(RefusedCalls calls) {
        calls.tell(
                refusal -> executor.execute(() -> {
                    String account = account();
                    calls.actsAs(account);
                    LOG.warn(words(refusal, account));
                }),
                call -> LOG.infof("The API server accepts again: %s%s", call.what(), in(call)));
    }

    private static String words(ApiRefusal refusal, String account) {
        ApiCall call = refusal.call();
        return ("The API server refuses what Slotwise (account %s) asks for: %s%s: %s. It is tried again every %d s at "
                        + "most; gangs that need it wait. Maybe %s.")
                .formatted(
                        account,
                        call.what(),
                        in(call),
                        refusal.message(),
                        CallPause.LONGEST.toSeconds(),
                        refusal.advice());
    }

    private static String in(ApiCall call) {
        return call.namespace().isEmpty() ? "" : " in namespace " + call.namespace();
    }

    private String account() {
        try {
            return client.resource(new SelfSubjectReview())
                    .create()
                    .getStatus()
                    .getUserInfo()
                    .getUsername();
        } catch (KubernetesClientException e) {
            return "unknown";
        }
    }
}
