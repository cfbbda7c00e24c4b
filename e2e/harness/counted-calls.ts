import { randomUUID } from "node:crypto";
import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import { ask, until } from "./api-client.ts";
import type { Caller } from "./calls.ts";

/** A busy callee: the call is dialed and over in a moment. */
const BUSY_NUMBER = "+15550100002";

interface CountedCallsOptions {
  /** Where the simulated network is, as a process of its own: what it saw outlives the service. */
  readonly network: { readonly host: string; readonly port: number };
  query(text: string): Promise<Record<string, unknown>[]>;
}

/** What became of the calls of a test. */
interface CallCounts {
  readonly accepted: number;
  readonly failed: number;
  readonly dialedTwice: number;
  /** Accepted, and then not dialed or not ended as busy callees end calls. */
  readonly lost: number;
  /** Calls that no client was told of. */
  readonly unknown: number;
}

/** Places calls with idempotency keys, and compares what clients were told with the database and the network. */
export class CountedCalls {
  readonly #options: CountedCallsOptions;
  readonly #accepted = new Set<string>();
  #failed = 0;

  constructor(options: CountedCallsOptions) {
    this.#options = options;
  }

  get accepted(): number {
    return this.#accepted.size;
  }

  /** Throws when the call is not accepted at the first request. */
  async place({ url, key, agentId }: Caller): Promise<void> {
    const body = { phoneNumber: BUSY_NUMBER, agentId, engine: "local" };
    const headers = { "idempotency-key": randomUUID() };
    try {
      const reply = await ask(url, "/api/v1/calls", { key, body, headers });
      if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      this.#accepted.add(reply.body.data.id);
    } catch (error) {
      this.#failed += 1;
      throw error;
    }
  }

  /** Waits until all of them have ended. */
  async count(): Promise<CallCounts> {
    const { network, query } = this.#options;
    const calls = await until(
      () => query(`select id, state, end_reason from calls where phone_number = '${BUSY_NUMBER}'`),
      (rows) => rows.every(({ state }) => state === "ended"),
      60_000,
    );
    const { dialIdsByCallId, counts } = await fetchReport(network.host, network.port);
    const busy = new Set(calls.flatMap(({ id, end_reason }) => (end_reason === "busy" ? [id] : [])));
    const dialed = [...this.#accepted].map((id) => dialIdsByCallId.get(id) ?? 0);
    return {
      accepted: this.#accepted.size,
      failed: this.#failed,
      dialedTwice: [...dialIdsByCallId.values()].filter((times) => times > 1).length + counts.duplicates,
      lost: [...this.#accepted].filter((id, index) => dialed[index] === 0 || !busy.has(id)).length,
      unknown: calls.filter(({ id }) => !this.#accepted.has(String(id))).length,
    };
  }
}
