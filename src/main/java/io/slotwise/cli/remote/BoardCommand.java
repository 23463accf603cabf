package io.slotwise.cli.remote;

import io.slotwise.cli.console.Browser;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.remote.Remote.Board;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Shows the address of a running Slotwise's board. */
public final class BoardCommand extends ConsoleCommand implements Runnable {
    private static final String OPEN = "--open";
    private static final String PORT = "--port";

    private final RemoteOptions remote;
    private final Consumer<String> browser;
    private final Runnable stay;

    public BoardCommand(CommandConsole console, Remote.Finder finder) {
        this(console, finder, url -> Browser.open(url, console.err()), BoardCommand::stay);
    }

    BoardCommand(CommandConsole console, Remote.Finder finder, Consumer<String> browser, Runnable stay) {
        super(console, "board", "Print the address of a running Slotwise's board.");

        this.browser = browser;
        this.stay = stay;
        this.remote = new RemoteOptions(spec, finder);
        spec.addOption(flag(OPEN, "Open it in the browser."))
                .addOption(number(PORT, "N", "The local port to forward from; 0: a free one. Default: 0."));
        help(
                spec,
                """
                slotwise board --open
                slotwise board --server http://127.0.0.1:8080
                """,
                RemoteOptions.WHERE + " In a cluster, a local port forwards to it until you interrupt the command.");
    }

    @Override
    public void run() {
        Integer port = Objects.requireNonNull(port(PORT, 0));
        try (Remote remoteSlotwise = remote.open()) {
            Board board = remoteSlotwise.board(port);
            console.out().println(board.url());
            console.out().flush();
            if (has(OPEN)) {
                browser.accept(board.url());
            }
            if (board.led()) {
                console.err().println("Forwarding until interrupted (Ctrl-C).");
                stay.run();
            }
        }
    }

    private static void stay() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
