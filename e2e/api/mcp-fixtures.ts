import { dataOf } from "../harness/accounts.ts";
import { send } from "../harness/http-client.ts";
import type { MatrixAccount } from "./matrix-world.ts";

const PATH = "/api/v1/mcp-servers";
let count = 0;

/** At a reserved name, which no one has, so that reading its tools fails without asking anyone. */
export const newMcpServer = () => ({ name: `matrix_${count++}`, url: "https://mcp.example/mcp", timeoutMs: 500 });

/** An account has 20 servers at most; the matrix creates more, one after the other, and needs only the last ones. */
export async function roomForMcpServers(account: MatrixAccount): Promise<void> {
  const { cookie } = account.owner;
  const all: { id: string }[] = dataOf(await send(account.base, { path: `${PATH}?limit=100`, headers: cookie }));
  for (const { id } of all.slice(10)) {
    await send(account.base, { method: "DELETE", path: `${PATH}/${id}`, headers: cookie });
  }
}

export async function aMcpServer(account: MatrixAccount) {
  await roomForMcpServers(account);
  const made = await send(account.base, { path: PATH, json: newMcpServer(), headers: account.owner.cookie });
  return { params: { id: dataOf(made).id as string } };
}

export async function aDeviceSignIn(account: MatrixAccount) {
  const begun = await send(account.base, { path: "/auth/device", json: { client: "The matrix" } });
  return { params: { code: dataOf(begun).userCode as string } };
}
