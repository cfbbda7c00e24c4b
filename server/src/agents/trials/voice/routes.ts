import { randomBytes } from "node:crypto";
import { AppError } from "@parley/contract/errors";
import { tryAgentByVoice } from "@parley/contract/routes/try-voice";
import { type Clock, systemClock } from "@parley/time/clock";
import type { StreamSlots } from "../../../calls/live/stream-slots.ts";
import type { Database } from "../../../platform/database/database.ts";
import { actorId } from "../../../platform/http/authenticate.ts";
import { type ApiRequest, type BoundRoute, handle } from "../../../platform/http/handler.ts";
import { asksForWebSocket, refuseBadHandshake } from "../../../platform/http/web-socket.ts";
import { compileOrRefuse } from "../../drafts.ts";
import { findTriedFlow, withSubFlows } from "../../find-tried-flow.ts";
import type { TryOrder } from "./hold-try.ts";
import { openWorkerTry, type WorkerTryDeps } from "./open-worker-try.ts";
import { writePacket } from "./packets.ts";
import { RelayedTry, type TryStart } from "./relay-try.ts";
import { holdTryLease, listReachableWorkers, releaseTryLease } from "./try-lease-store.ts";

export interface VoiceTryRoutesDeps extends WorkerTryDeps {
  readonly db: Database;
  readonly streamSlots: StreamSlots;
  /** Of the language models there are to ask at the moment. */
  readonly modelNames: () => readonly string[];
  /** The origins under which people reach the dashboard. */
  readonly ownOrigins: () => readonly string[];
  onTrouble(error: unknown): void;
  readonly clock?: Clock;
}

/** Well before the lease of a try ends. */
const RENEW_MS = 10_000;

/** Trying an agent by voice. */
export function voiceTryRoutes(deps: VoiceTryRoutesDeps): BoundRoute[] {
  const { db, clock = systemClock } = deps;
  return [
    handle(tryAgentByVoice, async (request) => {
      const { agentId } = await findTriedFlow(db, request.accountId, request.params.id, {});
      if (!asksForWebSocket(request.header)) throw new AppError("bad_request", "This is a WebSocket: ask to upgrade.");
      refuseBadHandshake(request.header);
      refuseForeignPage(request as unknown as ApiRequest, deps.ownOrigins());
      const who = request.actor === null ? request.accountId : actorId(request.actor);
      const tryId = `try_${randomBytes(12).toString("hex")}`;
      const leave = deps.streamSlots.take(request.accountId);
      const release = await holdLease(deps, who, tryId, clock).catch((error: unknown) => {
        leave();
        throw error;
      });
      const openWorker = async (start: TryStart) => {
        const order = await readOrder(deps, request.accountId, agentId, tryId, start);
        const socket = await openWorkerTry(deps, await listReachableWorkers(db));
        socket.write(writePacket({ kind: "json", value: order }));
        return socket;
      };
      const onOver = () => {
        leave();
        release();
      };
      const { closing } = request;
      return {
        stream: async (reply) => {
          new RelayedTry({ clock, openWorker, stillAllowed: () => request.stillAllowed(), closing, onOver }, reply);
        },
      };
    }),
  ];
}

/** A page of another site could open a WebSocket in a member's name: browsers send the cookie, and the Origin. */
function refuseForeignPage({ header, actor }: ApiRequest, ownOrigins: readonly string[]): void {
  if (actor?.kind !== "member") return;
  const origin = header("origin");
  if (origin !== undefined && ownOrigins.includes(origin)) return;
  throw new AppError("cross_site", "Cookie requests must come from this site: send a matching Origin.");
}

/** Acquires the single trial of a member or key, or throws 409. Returns the function that releases it. */
async function holdLease(
  { db, onTrouble }: VoiceTryRoutesDeps,
  who: string,
  tryId: string,
  clock: Clock,
): Promise<() => void> {
  if (!(await holdTryLease(db, who, tryId))) {
    throw new AppError("invalid_state", "You are already trying an agent by voice; end that first.");
  }
  let cancel: () => void = () => undefined;
  let isReleased = false;
  const renewLater = () => {
    if (isReleased) return;
    cancel = clock.setTimer(RENEW_MS, () => {
      holdTryLease(db, who, tryId).then(renewLater, (error: unknown) => {
        onTrouble(error);
        renewLater();
      });
    });
  };
  renewLater();
  return () => {
    if (isReleased) return;
    isReleased = true;
    cancel();
    releaseTryLease(db, who, tryId).catch(onTrouble);
  };
}

async function readOrder(
  { db, modelNames }: VoiceTryRoutesDeps,
  accountId: string,
  agentId: string,
  tryId: string,
  start: TryStart,
): Promise<TryOrder> {
  const { flow, language } = await withSubFlows(db, accountId, await findTriedFlow(db, accountId, agentId, start));
  compileOrRefuse(flow, modelNames(), "The flow cannot be tried.");
  const { variables = {}, sampleRateHz: microphoneRateHz } = start;
  return { tryId, accountId, flow, language, variables, microphoneRateHz };
}
