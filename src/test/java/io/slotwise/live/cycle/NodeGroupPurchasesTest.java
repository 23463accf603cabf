package io.slotwise.live.cycle;

import io.slotwise.testing.FakeAutoscaler;
import io.slotwise.testing.FakeSeller;

/** The tests of {@code NodePurchasesTest} with nodes of a node group, which an autoscaler enlarges. */
class NodeGroupPurchasesTest extends NodePurchasesTest {
    @Override
    FakeSeller seller() {
        return new FakeAutoscaler(FakeAutoscaler.grouped(CATALOGUE), DELAY);
    }
}
