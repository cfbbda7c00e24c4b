import { once } from "node:events";
import { connect } from "node:net";
import { createConditions } from "../conditions.ts";
import { within } from "../within.ts";

/** The events of a call that a baresip reports, as its control port names them. */
interface BaresipEvent {
  readonly type: string;
  readonly param?: string;
}

export interface BaresipControl {
  /** All events so far, in order. */
  readonly events: readonly BaresipEvent[];
  /** Resolves once it has reported this so often. */
  tells(type: string, times?: number): Promise<void>;
  /** Types a command as a person would in its menu, and returns the reply. */
  command(command: string, params?: string): Promise<string>;
  close(): void;
}

interface Reply {
  readonly response?: boolean;
  readonly event?: boolean;
  readonly ok?: boolean;
  readonly data?: string;
  readonly type?: string;
  readonly param?: string;
}

/** Speaks with the module `ctrl_tcp`: JSON in netstrings (`12:{"event":...},`), replies in the order of the commands. */
export async function openBaresipControl(port: number): Promise<BaresipControl> {
  const socket = connect(port, "127.0.0.1");
  await within(once(socket, "connect"), "the control connection of baresip");
  const events: BaresipEvent[] = [];
  const conditions = createConditions();
  const replies: ((reply: Reply) => void)[] = [];
  let unread = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (let text = takeNetstring(); text !== null; text = takeNetstring()) take(JSON.parse(text) as Reply);
  });
  // The other end closes with its process, which does not matter here.
  socket.on("error", () => socket.destroy());

  function takeNetstring(): string | null {
    const colon = unread.indexOf(":");
    const length = Number(unread.subarray(0, colon));
    if (colon < 0 || unread.length < colon + 1 + length + 1) return null;
    const text = unread.subarray(colon + 1, colon + 1 + length).toString();
    unread = unread.subarray(colon + 1 + length + 1);
    return text;
  }

  function take(reply: Reply): void {
    if (reply.event !== true) {
      replies.shift()?.(reply);
      return;
    }
    events.push({ type: reply.type ?? "", ...(reply.param === undefined ? {} : { param: reply.param }) });
    conditions.happened();
  }

  return {
    events,
    tells: (type, times = 1) =>
      conditions.until(
        () => events.filter((event) => event.type === type).length >= times,
        () => `${type} for the ${times}. time of baresip after ${events.map((event) => event.type).join(", ")}`,
      ),
    async command(command, params) {
      const reply = new Promise<Reply>((resolve) => replies.push(resolve));
      const text = JSON.stringify({ command, ...(params === undefined ? {} : { params }) });
      socket.write(`${Buffer.byteLength(text)}:${text},`);
      const { ok, data = "" } = await within(reply, `the reply of baresip to ${command}`);
      if (ok !== true) throw new Error(`baresip refused ${command}: ${data}`);
      return data;
    },
    close: () => socket.destroy(),
  };
}
