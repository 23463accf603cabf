package io.slotwise.live.cycle;

import io.slotwise.testing.FakeAutoscaler;

/** All of this where the nodes are those of a node group, which an autoscaler makes larger. */
class NodeGroupPurchasesTest extends NodePurchasesTest {
    NodeGroupPurchasesTest() {
        super(new FakeAutoscaler(FakeAutoscaler.grouped(CATALOGUE), DELAY));
    }
}
