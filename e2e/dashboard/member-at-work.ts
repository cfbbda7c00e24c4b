import { createKey, dataOf, type SignedInMember, signUp } from "../harness/accounts.ts";
import type { WatchedPage } from "../harness/browser.ts";
import type { Caller } from "../harness/calls.ts";
import { sendPatiently } from "../harness/http-client.ts";
import { type Keyboard, sitAtKeyboard } from "./keyboard/by-keyboard.ts";
import type { Look } from "./looks.ts";
import type { DashboardScene } from "./visitor.ts";

/** The member of a new account in a browser, and the same account at the API, which says what the pages should show. */
export interface MemberAtWork extends WatchedPage {
  readonly keys: Keyboard;
  readonly member: SignedInMember;
  /** Places test calls with the first of the sample agents. */
  readonly caller: Caller;
  /** The data of a path below `/api/v1/`, in test mode. */
  // biome-ignore lint/suspicious/noExplicitAny: the data of any route.
  read(path: string): Promise<any>;
  /** All rows of a list, from all of its pages. */
  // biome-ignore lint/suspicious/noExplicitAny: the rows of any route.
  readAll(path: string): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the data of any route.
  post(path: string, json: object): Promise<any>;
}

/** Begins on the list of calls, signed in. How people sign up is tested by others. */
export async function beginWork(scene: DashboardScene, look: Look): Promise<MemberAtWork> {
  const { url } = scene.service;
  const { page, complaints } = await scene.visit(look);
  const keys = await sitAtKeyboard(page);
  const member = await signUp(url);
  const [name = "", value = ""] = member.cookie["cookie"]?.split("=") ?? [];
  await page.context().addCookies([{ name, value, url }]);
  await page.goto(`${url}/calls`);
  await page.getByText("Place your first call").waitFor();
  const { key } = await createKey(url, member.cookie);
  const headers = { authorization: `Bearer ${key}` };
  const fetchPage = (path: string) => sendPatiently(url, { path: `/api/v1/${path}`, headers });
  const read = async (path: string) => dataOf(await fetchPage(path));
  const [{ id: agentId }] = await read("agents");
  return {
    ...{ page, complaints, keys, member, read },
    caller: { url, key, agentId },
    async readAll(path) {
      const first = path.includes("?") ? `${path}&limit=100` : `${path}?limit=100`;
      const rows = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const reply = await fetchPage(cursor === "" ? first : `${first}&cursor=${encodeURIComponent(cursor)}`);
        rows.push(...dataOf(reply));
        cursor = reply.body.nextCursor;
      }
      return rows;
    },
    post: async (path, json) => dataOf(await sendPatiently(url, { path: `/api/v1/${path}`, headers, json })),
  };
}
