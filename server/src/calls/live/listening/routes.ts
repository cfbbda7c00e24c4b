import { AppError } from "@parley/contract/errors";
import { listenToCall } from "@parley/contract/routes/calls";
import { auditRequest } from "../../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../../platform/http/handler.ts";
import { asksForWebSocket, refuseBadHandshake } from "../../../platform/http/web-socket.ts";
import { requireCall } from "../../call-store.ts";
import type { StreamSlots } from "../stream-slots.ts";
import { findHolder } from "./holder-store.ts";
import { type LineAudioDeps, notOnLine, openLineAudio, relayAsWav, relayToWebSocket } from "./relay-audio.ts";

export interface ListeningRoutesDeps extends LineAudioDeps {
  readonly db: Database;
  readonly streamSlots: StreamSlots;
}

export function listeningRoutes(deps: ListeningRoutesDeps): BoundRoute[] {
  const { db } = deps;
  return [
    handle(listenToCall, async (request) => {
      const call = await requireCall(db, request, request.params.id);
      const isWebSocket = asksForWebSocket(request.header);
      if (isWebSocket) refuseBadHandshake(request.header);
      if (call.state === "ended") throw new AppError("invalid_state", "The call is over; use its recording.");
      const holder = await findHolder(db, call.id);
      if (!holder) throw notOnLine();
      if (request.isHead) return { stream: async (reply) => void reply.type("audio/wav").send() };
      const leave = deps.streamSlots.take(request.accountId);
      try {
        const audio = await openLineAudio(deps, holder, call.id);
        audio.once("close", leave);
        await inTransaction(db, (tx) => auditRequest(tx, request, "call.listened_in", call.id)).catch((error) => {
          audio.destroy();
          throw error;
        });
        const options = { closing: request.closing, stillAllowed: () => request.stillAllowed() };
        const relay = isWebSocket ? relayToWebSocket : relayAsWav;
        return { stream: async (reply) => relay(audio, reply, options) };
      } catch (error) {
        leave();
        throw error;
      }
    }),
  ];
}
