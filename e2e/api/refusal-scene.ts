import { run } from "@parley/server/platform/database/database";
import { expect } from "vitest";
import {
  byKey,
  type Credentials,
  claimFirst,
  createKey,
  dataOf,
  type SignedInMember,
  signUp,
} from "../harness/accounts.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { createReplyCheck, type ReplyCheck } from "../harness/check-reply.ts";
import { type HttpReply, type HttpRequest, send } from "../harness/http-client.ts";

/** An account that may do everything, and the means to be refused. */
export interface RefusalScene {
  readonly world: ApiWorld;
  readonly base: string;
  readonly check: ReplyCheck;
  readonly owner: SignedInMember;
  readonly operator: SignedInMember;
  readonly test: Credentials;
  readonly live: Credentials;
  /** A published agent. */
  readonly agentId: string;
  ask(request: HttpRequest): Promise<HttpReply>;
  /** Sends, and expects `"422 validation_failed"`, the field at fault, and that nothing was written. */
  refuses(request: HttpRequest, outcome: string, param?: string): Promise<HttpReply>;
  /** The same for a test call, with the given fields besides the number and the agent. */
  refusesCall(fields: object, outcome: string, param?: string): Promise<HttpReply>;
}

const WRITTEN = `select (select count(*) from calls) as calls, (select count(*) from ledger_transfers) as transfers,
  (select sum(held_micros) from account_balances) as held, (select sum(micros) from spend_days) as spent,
  (select count(*) from call_events) as events, (select count(*) from outbox) as reports,
  (select count(*) from idempotency_records) as records, (select count(*) from agents) as agents`;

export async function openRefusalScene(): Promise<RefusalScene> {
  const world = await openApiWorld();
  const service = await world.start({ PARLEY_RATE_LIMIT: "100000", PARLEY_CHARGE_SIMULATED_CALLS: "on" });
  const base = service.url;
  const check = await createReplyCheck(base);
  const operator = await claimFirst(service);
  const owner = await signUp(base);
  const test = byKey((await createKey(base, owner.cookie)).key);
  const live = byKey((await createKey(base, owner.cookie, { mode: "live" })).key);
  const agents = dataOf(await send(base, { path: "/api/v1/agents", headers: test })) as { id: string }[];
  const agentId = agents[0]?.id ?? "";

  async function refuses(request: HttpRequest, outcome: string, param?: string): Promise<HttpReply> {
    const before = await run(world.db, WRITTEN);
    const reply = check(await send(base, request));
    const { code, param: named } = reply.body?.error ?? {};
    expect(`${reply.status} ${code}`, `${JSON.stringify(request).slice(0, 300)}\n${reply.text}`).toBe(outcome);
    if (param !== undefined) expect(named).toBe(param);
    expect(await run(world.db, WRITTEN)).toEqual(before);
    return reply;
  }

  return {
    world,
    base,
    check,
    owner,
    operator,
    test,
    live,
    agentId,
    ask: async (request) => check(await send(base, request)),
    refuses,
    refusesCall: (fields, outcome, param) =>
      refuses(
        { path: "/api/v1/calls", headers: test, json: { phoneNumber: "+15550100001", agentId, ...fields } },
        outcome,
        param,
      ),
  };
}
