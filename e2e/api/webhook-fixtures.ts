import { dataOf } from "../harness/accounts.ts";
import { type HttpRequest, send } from "../harness/http-client.ts";
import type { MatrixAccount } from "./matrix-world.ts";

type Mode = "test" | "live";

export const NEW_WEBHOOK = { url: "https://app.example/events" };

const shared = new Map<string, Promise<string>>();

const ask = async (account: MatrixAccount, mode: Mode, request: HttpRequest) =>
  dataOf(await send(account.base, { ...request, headers: { ...account.owner.cookie, "x-parley-mode": mode } }));

async function add(account: MatrixAccount, mode: Mode): Promise<string> {
  return (await ask(account, mode, { path: "/api/v1/webhooks", json: NEW_WEBHOOK })).id;
}

/** The account's one permanent endpoint in this mode. */
function lasting(account: MatrixAccount, mode: Mode): Promise<string> {
  const key = `${account.id} ${mode}`;
  const made = shared.get(key) ?? add(account, mode);
  shared.set(key, made);
  return made;
}

/** An account has 20 endpoints at most; the matrix creates more, one after the other, and needs only the last ones. */
export async function roomForWebhooks(account: MatrixAccount, mode: Mode): Promise<void> {
  const stays = await lasting(account, mode);
  const all = (await ask(account, mode, { path: "/api/v1/webhooks?limit=100" })) as { id: string }[];
  // Newest first.
  for (const { id } of all.filter((each) => each.id !== stays).slice(10)) {
    await ask(account, mode, { method: "DELETE", path: `/api/v1/webhooks/${id}` });
  }
}

export async function aWebhook(account: MatrixAccount, mode: Mode) {
  return { params: { id: await lasting(account, mode) } };
}

export async function freshWebhook(account: MatrixAccount, mode: Mode) {
  await roomForWebhooks(account, mode);
  return { params: { id: await add(account, mode) } };
}

export async function aDelivery(account: MatrixAccount, mode: Mode) {
  const path = `/api/v1/webhooks/${await lasting(account, mode)}/test`;
  return { params: { id: (await ask(account, mode, { path, json: {} })).id as string } };
}
