import { randomBytes } from "node:crypto";
import type { NewApiKey } from "@parley/contract/api-keys";
import { type HttpReply, sendPatiently } from "./http-client.ts";
import { readFirstRun, type ServiceProcess } from "./service-process.ts";

/** The headers that authenticate a request. */
export type Credentials = Readonly<Record<string, string>>;

export interface SignedInMember {
  readonly accountId: string;
  readonly memberId: string;
  readonly email: string;
  readonly cookie: Credentials;
}

export const PASSWORD = "correct-horse-47-battery";

export const byKey = (key: string): Credentials => ({ authorization: `Bearer ${key}` });

export function freshEmail(): string {
  return `${randomBytes(6).toString("hex")}@example.com`;
}

/** Creates an account. */
export async function signUp(base: string): Promise<SignedInMember> {
  const email = freshEmail();
  return signedIn(base, await sendPatiently(base, { path: "/auth/sign-up", json: { email, password: PASSWORD } }));
}

/** Takes over the first account; its owner is the operator. */
export async function claimFirst(service: ServiceProcess): Promise<SignedInMember> {
  const { claimToken } = await readFirstRun(service);
  const json = { token: claimToken, email: freshEmail(), password: PASSWORD };
  return signedIn(service.url, await sendPatiently(service.url, { path: "/auth/claim", json }));
}

export async function signInAgain(base: string, email: string): Promise<SignedInMember> {
  return signedIn(base, await sendPatiently(base, { path: "/auth/sign-in", json: { email, password: PASSWORD } }));
}

/** Invites a person, who accepts. */
export async function addMember(base: string, owner: Credentials): Promise<SignedInMember> {
  const invited = await sendPatiently(base, { path: "/api/v1/members", headers: owner, json: { email: freshEmail() } });
  const token = new URL(dataOf(invited).inviteUrl).searchParams.get("token");
  return signedIn(base, await sendPatiently(base, { path: "/auth/claim", json: { token, password: PASSWORD } }));
}

export async function createKey(
  base: string,
  owner: Credentials,
  changes: Partial<NewApiKey> = {},
): Promise<{ id: string; key: string }> {
  const json = { name: "made by a test", mode: "test", ...changes };
  return dataOf(await sendPatiently(base, { path: "/api/v1/api-keys", headers: owner, json }));
}

function signedIn(base: string, reply: HttpReply): SignedInMember {
  const { account, member } = dataOf(reply);
  const cookie = reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return {
    accountId: account.id,
    memberId: member.id,
    email: member.email,
    cookie: { cookie, origin: new URL(base).origin },
  };
}

/** The data of a reply that must have succeeded. */
// biome-ignore lint/suspicious/noExplicitAny: the data of any route.
export function dataOf(reply: HttpReply): any {
  if (reply.status !== 200) throw new Error(`expected success, got ${reply.status}: ${reply.text}`);
  return reply.body.data;
}
