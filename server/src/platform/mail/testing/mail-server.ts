import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

interface Letter {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

export interface MailServer {
  readonly url: string;
  readonly letters: readonly Letter[];
  close(): Promise<void>;
}

/** A mail server on loopback that keeps received mail, or refuses every recipient. */
export async function openMailServer(options: { readonly refuses?: boolean } = {}): Promise<MailServer> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo: (_address, _exchange, done) => done(options.refuses ? new Error("no such mailbox") : null),
    onData(stream, exchange, done) {
      text(stream).then(
        (content) => {
          const from = exchange.envelope.mailFrom;
          letters.push({
            from: from ? from.address : "",
            to: exchange.envelope.rcptTo.map((to) => to.address),
            content,
          });
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (!address || typeof address === "string") throw new Error("the mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
