export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail in the background. A request never waits for it and never fails by it. */
export interface Mailer {
  send(mail: Mail): void;
  /** Resolves when everything that was handed over has been sent or has failed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface MailerOptions {
  readonly smtpUrl: string | null;
  readonly from: string;
  onError(error: unknown): void;
}

const TIMEOUT_MS = 15_000;
// Mail that piles up behind a dead server is refused rather than kept in memory without end.
const WAITING_MAX = 500;

/** Creates a mailer, or null when no mail server is configured: then the library, which is large, is not even loaded. */
export async function createMailer({ smtpUrl, from, onError }: MailerOptions): Promise<Mailer | null> {
  if (!smtpUrl) return null;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // An e-mail is fixed text around a link; nothing in it may make the server open files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.on("error", onError);
  const underWay = new Set<Promise<void>>();

  async function deliver(mail: Mail): Promise<void> {
    try {
      await transport.sendMail({ from, to: mail.to, subject: mail.subject, text: mail.text });
    } catch (error) {
      onError(error);
    }
  }

  async function settled(): Promise<void> {
    await Promise.all(underWay);
  }

  return {
    send(mail) {
      if (underWay.size >= WAITING_MAX) {
        onError(new Error(`${WAITING_MAX} mails are waiting for the mail server; one was dropped`));
        return;
      }
      const delivery = deliver(mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    settled,
    async close() {
      await settled();
      transport.close();
    },
  };
}
