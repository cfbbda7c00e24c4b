import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createMailer, type Mailer } from "./send-mail.ts";
import { type MailServer, openMailServer } from "./testing/mail-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Closed after the test. */
async function openServer(options: { readonly refuses?: boolean } = {}): Promise<MailServer> {
  const server = await openMailServer(options);
  closing.push(server.close);
  return server;
}

async function openMailer(smtpUrl: string): Promise<{ mailer: Mailer; errors: unknown[] }> {
  const errors: unknown[] = [];
  const mailer = await createMailer({
    smtpUrl,
    from: "Parley <parley@example.com>",
    onError: (error) => errors.push(error),
  });
  if (!mailer) throw new Error("a mailer was expected");
  closing.push(() => mailer.close());
  return { mailer, errors };
}

test("without a mail server there is no mailer", async () => {
  expect(await createMailer({ smtpUrl: null, from: "x@example.com", onError: () => undefined })).toBeNull();
});

test("a mail arrives with its sender, recipient, subject and text", async () => {
  const server = await openServer();
  const { mailer, errors } = await openMailer(server.url);
  mailer.send({ to: "ada@example.com", subject: "Your link", text: "https://parley.example/claim?token=abc" });
  await mailer.settled();
  expect(errors).toEqual([]);
  expect(server.letters).toHaveLength(1);
  expect(server.letters[0]).toMatchObject({ from: "parley@example.com", to: ["ada@example.com"] });
  expect(server.letters[0]?.content).toContain("Subject: Your link");
  expect(server.letters[0]?.content).toContain("claim?token=abc");
});

test("a subject with a line break cannot smuggle in another header", async () => {
  const server = await openServer();
  const { mailer } = await openMailer(server.url);
  mailer.send({ to: "ada@example.com", subject: "Hello\r\nBcc: eve@example.com", text: "x" });
  await mailer.settled();
  expect(server.letters[0]?.to).toEqual(["ada@example.com"]);
  expect(server.letters[0]?.content).not.toMatch(/^Bcc:/m);
});

test("a refusal by the mail server is logged, and nothing is thrown to the sender", async () => {
  const server = await openServer({ refuses: true });
  const { mailer, errors } = await openMailer(server.url);
  expect(() => mailer.send({ to: "ada@example.com", subject: "x", text: "x" })).not.toThrow();
  await mailer.settled();
  expect(errors).toHaveLength(1);
  expect(server.letters).toEqual([]);
});

test("an unreachable mail server is reported, once for each mail", async () => {
  const port = await unusedPort();
  const { mailer, errors } = await openMailer(`smtp://127.0.0.1:${port}`);
  mailer.send({ to: "ada@example.com", subject: "one", text: "x" });
  mailer.send({ to: "ada@example.com", subject: "two", text: "x" });
  await mailer.settled();
  expect(errors).toHaveLength(2);
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}
