import { ask, until } from "./api-client.ts";
import type { ServiceProcess } from "./service-process.ts";

export interface SignedIn {
  readonly cookie: string;
  readonly email: string;
  readonly password: string;
}

/** The token of the claim link that this start showed. */
export async function readClaimToken({ output }: ServiceProcess): Promise<string> {
  const [, token = ""] = await until(
    async () => /claim\?token=(lt_[0-9A-Za-z_-]+)/.exec(output()) ?? [],
    (match) => match.length > 0,
    30_000,
  );
  return token;
}

/** Claims an account by its link's token and signs in, like a person. */
export async function claim(url: string, token: string, email = "owner@example.com"): Promise<SignedIn> {
  const password = `Quite-${crypto.randomUUID()}`;
  const reply = await ask(url, "/auth/claim", { body: { token, email, password }, headers: { origin: url } });
  if (reply.status !== 200) throw new Error(`the claim was refused: ${JSON.stringify(reply.body)}`);
  return { cookie: cookieOf(reply.headers), email, password };
}

export function cookieOf(headers: Headers): string {
  const [cookie = ""] = headers.getSetCookie().map((text) => text.split(";")[0]);
  return cookie;
}

/** Creates a key, like a signed-in person. */
export async function makeKey(url: string, cookie: string, mode: "test" | "live" = "test"): Promise<string> {
  const reply = await ask(url, "/api/v1/api-keys", { body: { name: "Made", mode }, headers: { cookie, origin: url } });
  if (reply.status !== 200) throw new Error(`the key was refused: ${JSON.stringify(reply.body)}`);
  return reply.body.data.key;
}
