package io.slotwise.it.oracle;

/** The request of a case's pod, or of others about this pod. A case counts for each of its kinds. */
enum Kind {
    HOST_PORTS("ports of the host"),
    NODE_SELECTOR("node selector"),
    NODE_AFFINITY("required node affinity"),
    TOLERATIONS("tolerations of taints"),
    CORDON("toleration of cordoned nodes"),
    RESOURCES("requests"),
    AFFINITY("required pod affinity"),
    ANTI_AFFINITY("required pod anti-affinity"),
    ANTI_AFFINITY_OF_OTHERS("anti-affinity of a resident that selects the pod"),
    SPREAD("`DoNotSchedule` spread"),
    MIN_DOMAINS("spread with `minDomains`"),
    NODE_POLICIES("spread with `nodeAffinityPolicy` or `nodeTaintsPolicy`"),
    LABEL_KEYS("`matchLabelKeys` or `mismatchLabelKeys`"),
    BOUND_VOLUMES("bound volume claims"),
    WAITING_VOLUMES("volume claims that wait for the pod"),
    ONE_POD_VOLUMES("`ReadWriteOncePod`"),
    ATTACH_LIMITS("attach limits of nodes"),
    DEVICES("device requests (`ExactCount`)"),
    DEVICE_SELECTORS("CEL selectors of device requests"),
    SEVERAL_REQUESTS("several device requests"),
    ALL_DEVICES("device requests (`All`)"),
    ALLOCATED_DEVICES("device claims that have been given devices"),
    SERVED_RESOURCES("extended resources that a DeviceClass serves");

    private final String words;

    Kind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
