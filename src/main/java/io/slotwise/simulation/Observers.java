package io.slotwise.simulation;

import io.slotwise.workload.Job;
import java.util.List;

/**
 * Several observers as one.
 *
 * @param all in the order in which they are told
 */
public record Observers(List<Observer> all) implements Observer {
    public Observers {
        all = List.copyOf(all);
    }

    @Override
    public void ended(Run run) {
        all.forEach(observer -> observer.ended(run));
    }

    @Override
    public void interrupted(Run run, Why why) {
        all.forEach(observer -> observer.interrupted(run, why));
    }

    @Override
    public void submitted(Job job) {
        all.forEach(observer -> observer.submitted(job));
    }

    @Override
    public void refused(Job job) {
        all.forEach(observer -> observer.refused(job));
    }

    @Override
    public void started(Run run) {
        all.forEach(observer -> observer.started(run));
    }

    @Override
    public void passed(long now, Load load) {
        all.forEach(observer -> observer.passed(now, load));
    }
}
