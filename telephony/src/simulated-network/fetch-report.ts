import { once } from "node:events";
import { connect } from "node:net";
import type { DialRecord, NetworkCounts } from "./dial-log.ts";
import { createLineReader } from "./line-reader.ts";
import { encodeLine, LINE_MAX_BYTES, type NetworkReply, parseReply } from "./network-protocol.ts";

export interface NetworkReport {
  readonly records: readonly DialRecord[];
  readonly counts: NetworkCounts;
  /** Above one, a call was dialed again under another dialId. */
  readonly dialIdsByCallId: ReadonlyMap<string, number>;
}

const REPORT_TIMEOUT_MS = 10_000;

/** Asks a simulated network in another process what was dialed. Rejects when it does not answer in time. */
export async function fetchReport(host: string, port: number): Promise<NetworkReport> {
  const records: DialRecord[] = [];
  const socket = connect({ host, port });
  const answered = Promise.withResolvers<NetworkReport>();
  const take = (reply: NetworkReply | null) => {
    if (reply?.type === "record") records.push(reply.record);
    else if (reply?.type === "report") {
      answered.resolve({ records, counts: reply.counts, dialIdsByCallId: countDialIds(records) });
    } else answered.reject(new Error("The simulated network did not answer with a report."));
  };
  const read = createLineReader({
    lineMaxBytes: LINE_MAX_BYTES,
    onLine: (line) => take(parseReply(line)),
    onTooLong: () => take(null),
  });
  socket.on("data", read);
  socket.on("error", (error) => answered.reject(error));
  socket.on("close", () => answered.reject(new Error("The simulated network closed the connection.")));
  socket.setTimeout(REPORT_TIMEOUT_MS, () => socket.destroy(new Error("The simulated network is silent.")));
  socket.write(encodeLine({ type: "report", request: 1 }));
  try {
    return await answered.promise;
  } finally {
    if (!socket.destroyed) {
      socket.destroy();
      await once(socket, "close");
    }
  }
}

/** Each dialId has one record, so the records of a call count its dialIds. */
function countDialIds(records: readonly DialRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { callId } of records) counts.set(callId, (counts.get(callId) ?? 0) + 1);
  return counts;
}
