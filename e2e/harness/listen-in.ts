/** A listener to a call over a WebSocket, and what was received. */
export interface ListeningIn {
  /** The announcement before the audio, once it arrived. */
  announced(): unknown;
  /** The callee's side and the agent's, as received so far. */
  sides(): { readonly callee: Int16Array; readonly agent: Int16Array };
  /** Resolves with the status and the reason when the other side ends it. */
  readonly ended: Promise<string>;
  close(): void;
}

/** Opens it, or rejects when it is refused. */
export function listenIn(base: string, callId: string, key: string): Promise<ListeningIn> {
  const url = `${base.replace(/^http/, "ws")}/api/v1/calls/${callId}/listen`;
  // Node's client takes headers, which browsers do not: they send their cookie.
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } } as never);
  socket.binaryType = "arraybuffer";
  let announced: unknown = null;
  const pieces: Int16Array[] = [];
  const ended = Promise.withResolvers<string>();
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") announced = JSON.parse(data);
    else pieces.push(new Int16Array(data));
  });
  socket.addEventListener("close", ({ code, reason }) => ended.resolve(`${code} ${reason}`));
  const side = (first: number) =>
    Int16Array.from(pieces.flatMap((piece) => [...piece].filter((_, at) => at % 2 === first)));
  return new Promise((resolve, reject) => {
    socket.addEventListener("error", () => reject(new Error(`listening was refused at ${url}`)));
    socket.addEventListener("open", () =>
      resolve({
        announced: () => announced,
        sides: () => ({ callee: side(0), agent: side(1) }),
        ended: ended.promise,
        close: () => socket.close(),
      }),
    );
  });
}
