import { makeId } from "@parley/contract/ids";
import { dataOf } from "../harness/accounts.ts";
import { send } from "../harness/http-client.ts";
import type { Fixture } from "./fixture.ts";
import type { MatrixAccount } from "./matrix-world.ts";

let trunks = 0;

export const newTrunk = () => ({ name: `Trunk ${trunks++}`, host: "192.0.2.1", isEnabled: false });

/** Only the operator can create one; any other caller must be refused before it is looked up. */
export async function aTrunk(account: MatrixAccount, more: object = {}): Promise<{ id: string }> {
  const reply = await send(account.base, {
    path: "/api/v1/operator/trunks",
    headers: account.owner.cookie,
    json: { ...newTrunk(), ...more },
  });
  return { id: reply.status === 200 ? dataOf(reply).id : makeId("trunk") };
}

export async function aTrunkRoute(account: MatrixAccount): Promise<{ id: string }> {
  const reply = await send(account.base, {
    path: "/api/v1/operator/routes",
    headers: account.owner.cookie,
    json: { prefix: "49", trunkId: (await aTrunk(account)).id },
  });
  return { id: reply.status === 200 ? dataOf(reply).id : makeId("route") };
}

// Never asked: nothing beyond this machine may be.
const NEW_PROVIDER = { name: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", model: "none", use: "off" };

/** There is one of each provider: a test that needs it to be absent removes it first. */
export async function noProvider(account: MatrixAccount): Promise<Fixture> {
  const path = `/api/v1/operator/providers/${NEW_PROVIDER.name}`;
  await send(account.base, { method: "DELETE", path, headers: account.owner.cookie });
  return { json: NEW_PROVIDER };
}

export async function aProvider(account: MatrixAccount): Promise<Fixture> {
  const { json = {} } = await noProvider(account);
  await send(account.base, { path: "/api/v1/operator/providers", headers: account.owner.cookie, json });
  return { params: { name: NEW_PROVIDER.name } };
}
