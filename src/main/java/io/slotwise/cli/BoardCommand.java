package io.slotwise.cli;

import io.slotwise.cli.Remote.Board;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Where the board of a running Slotwise is. */
final class BoardCommand implements Runnable {
    private static final String OPEN = "--open";
    private static final String PORT = "--port";

    private final Session session;
    private final CommandSpec spec;
    private final RemoteOptions remote;
    private final Consumer<String> browser;
    private final Runnable stay;

    BoardCommand(Session session, Remote.Finder finder) {
        this(session, finder, url -> Browser.open(url, session.err()), BoardCommand::stay);
    }

    /**
     * A command.
     *
     * @param browser shows a page
     * @param stay returns when the process is told to end
     */
    BoardCommand(Session session, Remote.Finder finder, Consumer<String> browser, Runnable stay) {
        this.session = session;
        this.browser = browser;
        this.stay = stay;
        this.spec = Options.command("board", this, "Print the address of a running Slotwise's board.");
        this.remote = new RemoteOptions(spec, finder);
        spec.addOption(OptionSpec.builder(OPEN)
                        .type(boolean.class)
                        .description("Open it in the browser.")
                        .build())
                .addOption(Options.value(PORT, "N", "The local port to forward from; 0: a free one. Default: 0.")
                        .type(Integer.class)
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        RemoteOptions.WHERE
                                + " In a cluster, a local port forwards to it until you interrupt the command.",
                        "")
                .footer("", "Examples:", "  slotwise board --open", "  slotwise board --server http://127.0.0.1:8080");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        Integer given = Options.given(spec, PORT, Integer.class);
        int port = given == null ? 0 : given;
        if (port < 0 || port > Options.LAST_PORT) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port (%d) is not a port; expected 0 to %d".formatted(port, Options.LAST_PORT));
        }
        try (Remote slotwise = remote.open()) {
            Board board = slotwise.board(port);
            session.out().println(board.url());
            session.out().flush();
            if (spec.commandLine().getParseResult().hasMatchedOption(OPEN)) {
                browser.accept(board.url());
            }
            if (board.led()) {
                session.err().println("Forwarding until interrupted (Ctrl-C).");
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
