import { ConnectionError } from "./errors.ts";
import { readEventStream, type StreamMessage } from "./event-stream.ts";
import type { HttpClient } from "./http-client.ts";
import { backoffMs, type RequestOptions } from "./request.ts";

/** Three of the comments that the service sends to keep a stream open. */
const IDLE_MS = 45_000;

export interface FollowPlan {
  readonly options: RequestOptions | undefined;
  /** Asked for each connection: the id of the last event, to resume after it. */
  lastEventId(): string | undefined;
  /** A message of our own at the beginning of each connection. */
  readonly opened?: StreamMessage;
}

/** The messages of a stream, across lost connections. Ends when the consumer stops; the service's end is a lost connection. */
export async function* followStream(http: HttpClient, path: string, plan: FollowPlan): AsyncGenerator<StreamMessage> {
  const { timing, settings } = http;
  const { signal, maxRetries = settings.maxRetries } = plan.options ?? {};
  for (let retry = 0; ; retry += 1) {
    const lastEventId = plan.lastEventId();
    const response = await http.bytes("GET", path, {
      accept: "text/event-stream",
      headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
      options: plan.options,
    });
    let failure: ConnectionError | undefined;
    try {
      if (response.body) {
        if (plan.opened) yield plan.opened;
        for await (const message of readEventStream(response.body, { idleMs: IDLE_MS, signal })) {
          retry = 0;
          yield message;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionError)) throw error;
      failure = error;
    }
    signal?.throwIfAborted();
    if (retry >= maxRetries) throw failure ?? new ConnectionError(`The service keeps closing ${path}.`);
    await timing.sleep(backoffMs(retry, timing), signal);
  }
}
