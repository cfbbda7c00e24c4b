import { NewCall, SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { openBalance, postTransfer } from "../../../accounts/credits/ledger-store.ts";
import { type Admission, countAndHoldCredit } from "../../../phone/gate/count-and-hold-credit.ts";
import { type GateDeps, type GateQuestion, judgeNumber } from "../../../phone/gate/judge-number.ts";
import { type Database, inTransaction, run, type Tx } from "../../../platform/database/database.ts";
import type { KeyActor } from "../../../platform/http/authenticate.ts";
import { createCall } from "../../create-call.ts";

/** An account with credit, a published agent and lanes, to place calls with. */
export interface Scene {
  readonly accountId: string;
  readonly agentId: string;
  readonly actor: (mode: Mode) => KeyActor;
  place(mode: Mode, fields?: Record<string, unknown>): Promise<string>;
}

export interface SceneOptions {
  /** Whether calls would really be dialed, and the clock of the gate. */
  readonly gate?: GateDeps;
  /** What the agent does; nothing at all without it. */
  readonly flow?: Flow;
  readonly creditMicros?: bigint;
  readonly concurrencyMax?: number;
  readonly callsPerSecond?: number;
  readonly queuedMax?: number;
}

const FLAT_PRICES = { prefix: "+1", routePerMinuteMicros: 20_000n, enginePerMinuteMicros: 10_000n };

/** A gate whose live calls go to the simulated network, charged unless the test says otherwise. */
export function simulatedGate(options: { readonly isCharged?: boolean; readonly nowMs?: () => number } = {}): GateDeps {
  return {
    goesToTrunks: () => false,
    routeCall: (mode) => ({ network: SIMULATED_NETWORK, isCharged: mode === "live" && (options.isCharged ?? true) }),
    nowMs: options.nowMs ?? Date.now,
  };
}

/** A gate whose live calls go out on a trunk. */
export function trunkGate(options: { readonly network?: string; readonly nowMs?: () => number } = {}): GateDeps {
  return {
    goesToTrunks: (mode) => mode === "live",
    routeCall: (mode) => ({
      network: mode === "live" ? (options.network ?? "Carrier One") : SIMULATED_NETWORK,
      isCharged: mode === "live",
    }),
    nowMs: options.nowMs ?? Date.now,
  };
}

export async function setScene(db: Database, options: SceneOptions = {}): Promise<Scene> {
  const gate = options.gate ?? simulatedGate();
  const accountId = makeId("account");
  const agentId = makeId("agent");
  const keyIds = { test: makeId("apiKey"), live: makeId("apiKey") };
  await inTransaction(db, async (tx) => {
    await run(tx, "insert into accounts (id, name) values ($1, 'Scene')", [accountId]);
    await openBalance(tx, accountId);
    const credit = options.creditMicros ?? 10_000_000n;
    if (credit > 0n)
      await postTransfer(tx, { accountId, kind: "sign_up_credit", availableMicros: credit, fundedMicros: -credit });
    for (const mode of ["test", "live"] as const) {
      await run(
        tx,
        "insert into dispatch_lanes (account_id, mode, concurrency_max, calls_per_second, queued_max) values ($1, $2, $3, $4, $5)",
        [accountId, mode, options.concurrencyMax ?? 20, options.callsPerSecond ?? 1000, options.queuedMax ?? 10_000],
      );
      await run(
        tx,
        "insert into api_keys (id, account_id, mode, name, prefix, last_four, digest, scopes) values ($1, $2, $3, 'Scene', '', '', $4, '{}')",
        [keyIds[mode], accountId, mode, Buffer.from(keyIds[mode])],
      );
    }
    const flow = JSON.stringify(options.flow ?? { schemaVersion: 1, variables: [], nodes: [] });
    await run(tx, "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Scene', 'en-US', $3)", [
      agentId,
      accountId,
      flow,
    ]);
    await run(
      tx,
      "insert into agent_versions (id, agent_id, version, note, language, flow) values ($1, $2, 1, '', 'en-US', $3)",
      [makeId("agentVersion"), agentId, flow],
    );
    await run(tx, "update agents set published_version = 1 where id = $1", [agentId]);
  });
  const actor = (mode: Mode): KeyActor => ({
    kind: "key",
    keyId: keyIds[mode],
    accountId,
    mode,
    scopes: new Set(["calls:write"]),
    dailySpendCapMicros: null,
  });
  return {
    accountId,
    agentId,
    actor,
    async place(mode, fields = {}) {
      const request = NewCall.parse({ phoneNumber: "+15550100001", agentId, ...fields });
      const deps = {
        findAgent: async () => ({ version: 1, engine: null, needsModel: false }),
        chooseEngine: () => "local",
        refuseFlow: async () => undefined,
        findRate: async () => FLAT_PRICES,
        routeCall: gate.routeCall,
        judgeNumber: (tx: Tx, question: GateQuestion) => judgeNumber(tx, gate, question),
        countAndHoldCredit: (tx: Tx, admission: Admission) => countAndHoldCredit(tx, gate, admission),
        nowMs: gate.nowMs,
        refuseCallerId: () => null,
      };
      const call = await inTransaction(db, async (tx) => {
        const accepted = await createCall(deps, tx, actor(mode), mode, request);
        await accepted.admit(tx);
        return accepted.call;
      });
      return call.id;
    },
  };
}
