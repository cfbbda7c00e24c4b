import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { NewWebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, run } from "../../platform/database/database.ts";
import { OutboundFailure } from "../../platform/outbound-http/outbound-failure.ts";
import { createOutboundHttp, type OutboundHttpOptions } from "../../platform/outbound-http/outbound-http.ts";
import { makePolicy } from "../../platform/outbound-http/outbound-policy.ts";
import type { DeliveryRow } from "../delivery-store.ts";
import type { EndpointRow } from "../endpoint-store.ts";
import { createEndpoint } from "../endpoints.ts";
import { Deliverer } from "../sending/deliverer.ts";
import type { EndpointAlert } from "../sending/notices.ts";

export const secrets = deriveSecrets("a secret of the tests that is long enough");
export const loopbackPolicy = makePolicy({ allow: ["loopback"], deny: [], ports: [443] });

/** An account with endpoints, in which things happen. */
export interface WebhookScene {
  readonly accountId: string;
  addEndpoint(url: string, more?: object, mode?: Mode): Promise<{ id: string; secret: string }>;
  /** Reports an event and queues it for the subscribed endpoints. Returns its id. */
  report(type?: string, mode?: Mode): Promise<string>;
}

export async function setWebhookScene(db: Database, nowMs: () => number = Date.now): Promise<WebhookScene> {
  const accountId = makeId("account");
  await run(db, "insert into accounts (id, name) values ($1, 'Webhooks')", [accountId]);
  await run(db, "insert into account_balances (account_id) values ($1)", [accountId]);
  return {
    accountId,
    addEndpoint: (url, more = {}, mode = "test") =>
      inTransaction(db, (tx) =>
        createEndpoint(
          { secrets, policy: loopbackPolicy, nowMs },
          tx,
          { accountId, mode },
          NewWebhookEndpoint.parse({ url, ...more }),
        ),
      ),
    async report(type = "call.completed", mode = "test") {
      const id = makeId("event");
      const body = JSON.stringify({ id, type, createdAt: new Date().toISOString(), sequence: 1, data: { call: {} } });
      await run(db, "select report_event($1, $2, $3, $4, null, null, $5)", [id, accountId, mode, type, body]);
      return id;
    },
  };
}

/** A process that delivers, on a manually advanced clock. */
export interface DeliverScene {
  readonly clock: VirtualClock;
  readonly deliverer: Deliverer;
  readonly notices: EndpointAlert[];
  /** How many replies have begun so far. */
  repliesBegun(): number;
  /** Triggers a check now, and waits until nothing is pending. */
  deliver(): Promise<void>;
  /** Lets time pass while deliveries become due, completing each. */
  pass(durationMs: number): Promise<void>;
  stop(): Promise<void>;
}

export function openDeliverScene(
  db: Database,
  {
    startMs = Date.now(),
    outbound: more = {} as Partial<OutboundHttpOptions>,
    /** Gives up instead of asking, with these words. */
    failWith = (_url: string): string | null => null,
    /** Which reported errors are no surprise. */
    expects = (_error: unknown): boolean => false,
  } = {},
): DeliverScene {
  const clock = createVirtualClock(startMs);
  const outbound = createOutboundHttp({ policy: loopbackPolicy, clock, ...more });
  const notices: EndpointAlert[] = [];
  let repliesBegun = 0;
  const errors: unknown[] = [];
  const deliverer = new Deliverer({
    db,
    clock,
    random: () => 0.5,
    outbound: {
      async stream(request, signal) {
        const words = failWith(request.url);
        if (words !== null) throw new OutboundFailure("bad_reply", words);
        const reply = await outbound.stream(request, signal);
        repliesBegun += 1;
        return reply;
      },
    },
    secrets,
    userAgent: "Parley-Webhooks/test",
    // Nothing but what is due wakes it.
    lookAgainMs: 365 * 24 * 3600 * 1000,
    onNotice: (notice) => notices.push(notice),
    onError: (error) => errors.push(error),
  });
  return {
    clock,
    deliverer,
    notices,
    repliesBegun: () => repliesBegun,
    async deliver() {
      deliverer.wake();
      await deliverer.settled();
    },
    async pass(durationMs) {
      const untilMs = clock.now() + durationMs;
      for (;;) {
        await deliverer.settled();
        const nextMs = clock.nextTimerInMs();
        if (nextMs === null || clock.now() + nextMs > untilMs) break;
        await clock.advance(nextMs);
      }
      await clock.advance(untilMs - clock.now());
      await deliverer.settled();
    },
    async stop() {
      const stopped = deliverer.stop();
      await clock.advance(5000);
      await stopped;
      outbound.close();
      const unexpected = errors.filter((error) => !expects(error));
      if (unexpected.length > 0) throw new AggregateError(unexpected, "the deliverer reported trouble");
    },
  };
}

export async function readDeliveries(db: Database, endpointId: string): Promise<DeliveryRow[]> {
  return run<DeliveryRow>(db, "select * from webhook_deliveries where endpoint_id = $1 order by created_at, id", [
    endpointId,
  ]);
}

export async function readEndpoint(db: Database, endpointId: string): Promise<EndpointRow> {
  const [row] = await run<EndpointRow>(db, "select * from webhook_endpoints where id = $1", [endpointId]);
  if (!row) throw new Error("the endpoint is gone");
  return row;
}

export async function readReasons(db: Database, endpointId: string): Promise<string[]> {
  const rows = await run<{ reason: string }>(
    db,
    `select a.reason from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
     where d.endpoint_id = $1 order by a.started_at, a.fence`,
    [endpointId],
  );
  return rows.map(({ reason }) => reason);
}

/** Polls, once per turn of the event loop, until the condition holds: for socket events. */
export async function untilSo(isSo: () => boolean): Promise<void> {
  const giveUpAtMs = performance.now() + 20_000;
  while (!isSo()) {
    if (performance.now() > giveUpAtMs) throw new Error("it did not become so within 20 s");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
