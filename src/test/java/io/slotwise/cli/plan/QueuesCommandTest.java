package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class QueuesCommandTest {
    private static CommandLineRun queues(String... more) {
        String[] args = {"queues", "-f", "docs/examples/teams.yaml", "--now", "2030-01-07T01:00:00Z"};
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return CommandLineRun.of(all);
    }

    @Test
    void showsWhatEachQueueUsesBorrowsAndLends() {
        assertThat(queues().out()).isEqualTo("""
            QUEUE      RESOURCE        GUARANTEE  LIMIT  USED  PROMISED  BORROWED  LENT  SHARE  WAITING
            root       nvidia.com/gpu         32      -    16        24         -     -   50 %
              biology  nvidia.com/gpu          8     16    16         8         8     -  200 %
              default  nvidia.com/gpu          -      -     -         -         -     -      -
              physics  nvidia.com/gpu         16      -     -        16         -     4    0 %
              vision   nvidia.com/gpu          8      -     -        24         -     4    0 %
            """);
    }

    @Test
    void writesJsonAndCsv() {
        assertThat(queues("-o", "csv").out())
                .startsWith("queue,level,resource,guarantee,limit,used,promised,borrowed,lent,entitled,share_percent,"
                        + "waiting,budget,spent\nroot,0,nvidia.com/gpu,32,,16,24,0,0,32,50.0,0,,\n"
                        + "biology,1,nvidia.com/gpu,8,16,16,8,8,0,8,200.0,0,,\n");
        assertThat(queues("-o", "json").out())
                .contains("\"now\": \"2030-01-07T01:00:00Z\"", "\"queue\": \"vision\"", "\"sharePercent\": 200.0");
    }

    @Test
    void saysThatThereAreNoQueues() {
        CommandLineRun run = CommandLineRun.of("queues", "-f", "docs/examples/chain.yaml");

        assertThat(run.out()).isEqualTo("No queues.\n");
    }
}
