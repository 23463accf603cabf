package io.slotwise.core.plan;

import io.slotwise.core.recall.Memory;
import io.slotwise.core.cluster.*;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.Processors;
import io.slotwise.testing.SharedEnvironment;
import java.util.*;

public class TryOut {
    public static void main(String[] args) {
        int nodes = Integer.parseInt(args[0]); int gangs = Integer.parseInt(args[1]);
        boolean check = args.length > 3 && args[3].equals("check");
        SharedEnvironment e = SharedEnvironment.busy(nodes, 1);
        System.out.println("occupations " + e.cluster().occupations().size());
        List<Request> requests = SharedEnvironment.batch(gangs, 1).stream().map(g -> new Request(g, null)).toList();
        Snapshot s = new Snapshot(0, e.cluster(), requests, List.of());
        Planner planner = new Planner(Policy.DEFAULT, Processors.ALL);
        Memory m = Memory.NOTHING;
        Random r = new Random(1);
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            long t = System.nanoTime();
            Remembered rem = planner.plan(s, StopSignal.NEVER, m);
            Plan p = rem.plan();
            m = rem.memory();
            System.out.printf("cycle %d: %d ms, windows %d pending %d, kept %d %n", i, (System.nanoTime() - t) / 1000000, p.windows().size(), p.pending().size(), p.windows().stream().filter(w -> w.kept()).count());
            if (check && !planner.plan(s).equals(p)) System.out.println("DIFFERENT");
            Snapshot n = s.published(p);
            List<Occupation> left = new ArrayList<>(s.cluster().occupations());
            List<Request> rs = new ArrayList<>(n.requests());
            List<Node> ns = s.cluster().nodes();
            if (i > 1) switch (i % 4) {
                case 0 -> System.out.println("end " + left.remove(r.nextInt(left.size())));
                case 1 -> { System.out.println("arrival"); rs.add(new Request(SharedEnvironment.batch(gangs + i, 1).getLast(), null)); }
                case 2 -> { System.out.println("node"); List<Node> l = new ArrayList<>(ns); String gone = l.remove(r.nextInt(l.size())).name(); ns = new Inventory(l); left.removeIf(o -> o.node().equals(gone)); }
                case 3 -> { System.out.println("edit"); int k = r.nextInt(rs.size()); Request q = rs.get(k); rs.set(k, q.of(q.gang().lasting(q.gang().runtime() + 60))); }
            }
            // time goes on
            s = new Snapshot(s.now() + 1, ns instanceof Inventory inv && inv == s.cluster().nodes() ? new Cluster(inv, left) : new Cluster(ns, left), rs, List.of());
        }
    }
}
