import { getTranscript } from "@parley/contract/routes/calls";
import type { TranscriptFormat, TranscriptItem } from "@parley/contract/transcripts";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { type CallRow, transcriptStatusOf } from "../call-record.ts";
import { requireCall } from "../call-store.ts";
import { type CallChanges, followCallChanges } from "../live/call-changes.ts";
import { type EventStream, openEventStream } from "../live/event-stream.ts";
import type { StreamSlots } from "../live/stream-slots.ts";
import { asksForStream, chooseFormat, renderSrt, renderText, renderVtt } from "./render-transcript.ts";
import { readNumberedItems, readSecondPass, readTranscript } from "./transcript-store.ts";

interface TextForm {
  readonly type: string;
  render(items: readonly TranscriptItem[]): string;
}

const FORMS: Readonly<Record<Exclude<TranscriptFormat, "json">, TextForm>> = {
  text: { type: "text/plain; charset=utf-8", render: renderText },
  srt: { type: "application/x-subrip; charset=utf-8", render: renderSrt },
  vtt: { type: "text/vtt; charset=utf-8", render: renderVtt },
};

export interface TranscriptRoutesDeps {
  readonly db: Database;
  readonly changes: CallChanges;
  readonly streamSlots: StreamSlots;
}

export function transcriptRoutes({ db, changes, streamSlots }: TranscriptRoutesDeps): BoundRoute[] {
  return [
    handle(getTranscript, async (request) => {
      // Read before the items, so that a transcript with status `ready` is complete.
      const call = await requireCall(db, request, request.params.id);
      if (request.query.format === undefined && asksForStream(request.accept)) {
        const readState = async () => (await requireCall(db, request, call.id)).state;
        return {
          stream: async (reply) => {
            reply.raw.once("close", streamSlots.take(request.accountId));
            let stop: () => void = () => undefined;
            const stream = openEventStream(reply, {
              stillAllowed: () => request.stillAllowed(),
              closing: request.closing,
              onClose: () => stop(),
            });
            stop = followTranscript({ db, changes, callId: call.id, readState, stream });
          },
        };
      }
      const items = await readTranscript(db, call.id);
      const format = chooseFormat(request.query.format, request.accept);
      if (format === "json") {
        const secondPass = await readSecondPass(db, call.id);
        return { data: { callId: call.id, status: transcriptStatusOf(call), secondPass, items } };
      }
      const { type, render } = FORMS[format];
      return {
        stream: async (reply) => void reply.header("cache-control", "no-store").type(type).send(render(items)),
      };
    }),
  ];
}

interface FollowTranscriptOptions {
  readonly db: Database;
  readonly changes: CallChanges;
  readonly callId: string;
  /** The current state of the call; read before its items, so that a transcript reported as ready is complete. */
  readState(): Promise<CallRow["state"]>;
  readonly stream: EventStream;
}

/**
 * Sends the items so far, then additions and removals as they are committed, and ends with the call. Each item has a
 * permanent number: a client that reconnects is sent all of them again.
 */
export function followTranscript({ db, changes, callId, readState, stream }: FollowTranscriptOptions): () => void {
  const sent = new Set<number>();

  return followCallChanges(changes, callId, stream, async () => {
    const state = await readState();
    const items = await readNumberedItems(db, callId);
    const kept = new Set(items.map(({ ordinal }) => ordinal));
    for (const ordinal of [...sent].filter((each) => !kept.has(each))) {
      sent.delete(ordinal);
      stream.send({ event: "removed", data: { number: ordinal } });
    }
    for (const { ordinal, item } of items.filter((each) => !sent.has(each.ordinal))) {
      sent.add(ordinal);
      stream.send({ event: "item", data: { number: ordinal, item } });
    }
    if (state !== "ended") return;
    stream.send({ event: "ready", data: { items: items.length } });
    stream.close();
  });
}
