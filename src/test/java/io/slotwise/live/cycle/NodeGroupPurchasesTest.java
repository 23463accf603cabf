package io.slotwise.live.cycle;

import io.slotwise.testing.FakeAutoscaler;
import io.slotwise.testing.FakeSeller;

/** All of this where the nodes are those of a node group, which an autoscaler makes larger. */
class NodeGroupPurchasesTest extends NodePurchasesTest {
    @Override
    FakeSeller seller() {
        return new FakeAutoscaler(FakeAutoscaler.grouped(CATALOGUE), DELAY);
    }
}
