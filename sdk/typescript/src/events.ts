import { followStream } from "./follow.ts";
import type { HttpClient } from "./http-client.ts";
import type { RequestOptions } from "./request.ts";

/** A call changed: get it again. After a lost connection, changes may have been missed: get everything again. */
export type CallChange = { type: "call"; callId: string; version: number } | { type: "refetch" };

export class Events {
  private readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  /** The changes of all calls of the account, live, until you stop reading. Begins with `refetch`. */
  async *follow(options: RequestOptions = {}): AsyncGenerator<CallChange, void, undefined> {
    // Changes are not stored: what happened while there was no connection is not sent later.
    const plan = { options, lastEventId: () => undefined, opened: { event: "refetch", data: "{}" } };
    for await (const message of followStream(this.http, "/api/v1/events", plan)) {
      if (message.event === "refetch") yield { type: "refetch" };
      if (message.event === "call")
        yield { type: "call", ...(JSON.parse(message.data) as { callId: string; version: number }) };
    }
  }
}
