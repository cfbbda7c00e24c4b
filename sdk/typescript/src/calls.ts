import { writeToFile } from "#write-to-file";
import { ApiError, TimeoutError } from "./errors.ts";
import { followStream } from "./follow.ts";
import { CallsResource } from "./generated/resources.ts";
import type { Call, CallEvent, NewCall, TranscriptItem } from "./generated/types.ts";
import { part } from "./http-client.ts";
import { backoffMs, type RequestOptions } from "./request.ts";

export interface FollowOptions extends RequestOptions {
  /** The `sequence` of the last event that you have seen; only later ones are sent. Default: all of them. */
  after?: number | undefined;
}

export interface WaitOptions extends RequestOptions {
  /** How long to wait for the call. Default: without a limit, since a call may be scheduled or queued. */
  waitMs?: number | undefined;
  /** When the call is as far as you need it. Default: when it has ended. */
  until?: ((call: Call) => boolean) | undefined;
}

/** A change of a live transcript. Items have permanent numbers; one that was revised is removed and added again. */
export type TranscriptChange =
  | { type: "item"; number: number; item: TranscriptItem }
  | { type: "removed"; number: number };

const FINAL_TYPES: readonly string[] = ["call.completed", "call.failed"];
const hasEnded = (call: Call): boolean => call.phase === "ended";

export class Calls extends CallsResource {
  /** Places a call and waits until it has ended. A call that nobody answers is returned too; see `status` and `endReason`. */
  async createAndWait(body: NewCall, options: WaitOptions = {}): Promise<Call> {
    const call = await this.create(body, options);
    return this.wait(call.id, options);
  }

  /** Waits until a call has ended, or is as far as `until` says. */
  async wait(id: string, options: WaitOptions = {}): Promise<Call> {
    const { waitMs, until = hasEnded } = options;
    if (waitMs === undefined) return this.waitUntil(id, until, options);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new TimeoutError(`${id} had not ended after ${waitMs} ms.`)), waitMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
    try {
      return await this.waitUntil(id, until, { ...options, signal });
    } finally {
      clearTimeout(timer);
    }
  }

  private async waitUntil(id: string, until: (call: Call) => boolean, options: RequestOptions): Promise<Call> {
    const { timing } = this.http;
    let after = 0;
    for (let round = 0; ; round += 1) {
      const call = await this.get(id, options);
      if (until(call)) return call;
      if (call.phase === "ended") {
        await timing.sleep(backoffMs(round, timing), options.signal);
        continue;
      }
      try {
        for await (const event of this.follow(id, { ...options, after })) {
          after = event.sequence;
          round = 0;
          if (until !== hasEnded) break;
        }
      } catch (error) {
        // An account may have only so many streams open; then ask from time to time.
        if (!(error instanceof ApiError && error.status === 429)) throw error;
        await timing.sleep(backoffMs(round, timing), options.signal);
      }
    }
  }

  /**
   * The events of a call, from the first one on and then live, until it has ended. Lost connections are resumed; no
   * event is missed or repeated.
   */
  async *follow(id: string, options: FollowOptions = {}): AsyncGenerator<CallEvent, void, undefined> {
    let last = options.after ?? 0;
    const plan = { options, lastEventId: () => (last > 0 ? String(last) : undefined) };
    for await (const message of followStream(this.http, `/api/v1/calls/${part(id)}/events`, plan)) {
      const event = JSON.parse(message.data) as CallEvent;
      if (event.sequence <= last) continue;
      last = event.sequence;
      yield event;
      if (FINAL_TYPES.includes(event.type)) return;
    }
  }

  /** The transcript of a call as it grows, until the call has ended. */
  async *followTranscript(id: string, options: RequestOptions = {}): AsyncGenerator<TranscriptChange, void, undefined> {
    const seen = new Set<number>();
    const plan = { options, lastEventId: () => undefined };
    for await (const message of followStream(this.http, `/api/v1/calls/${part(id)}/transcript`, plan)) {
      if (message.event === "ready") return;
      if (message.event !== "item" && message.event !== "removed") continue;
      const change = JSON.parse(message.data) as { number: number; item: TranscriptItem };
      if (message.event === "removed") {
        if (seen.delete(change.number)) yield { type: "removed", number: change.number };
      } else if (!seen.has(change.number)) {
        // A connection that was resumed sends all items again.
        seen.add(change.number);
        yield { type: "item", ...change };
      }
    }
  }

  /** The transcript as plain text or as captions. */
  async getTranscriptText(
    id: string,
    format: "text" | "srt" | "vtt" = "text",
    options?: RequestOptions,
  ): Promise<string> {
    const response = await this.http.bytes("GET", `/api/v1/calls/${part(id)}/transcript`, {
      query: { format },
      options,
    });
    return response.text();
  }

  /** Saves the recording as a WAV file. The file appears under its name when it is complete. Not in browsers. */
  async saveRecording(id: string, file: string, options: RequestOptions = {}): Promise<void> {
    const response = await this.getRecording(id, options);
    await writeToFile(file, response, options.signal);
  }
}
