import { TRY_VOICE_RATE_HZ, TryVoiceEvent } from "@parley/contract/try-voice";
import type { Credentials } from "../harness/accounts.ts";

export interface TriedByVoice {
  readonly events: readonly TryVoiceEvent[];
  /** How much of the agent's side arrived, including silence. */
  readonly heardSeconds: number;
  /** How the connection ended. */
  readonly closed: string;
}

const PIECE_MS = 40;
const PIECE_BYTES = (TRY_VOICE_RATE_HZ * PIECE_MS * 2) / 1000;
const WAV_HEADER_BYTES = 44;
const GIVE_UP_MS = 180_000;

/** Node's WebSocket takes headers, which that of browsers does not. */
export function openTrySocket(url: string, credentials: Credentials, agentId: string): WebSocket {
  const address = `${url.replace("http", "ws")}/api/v1/agents/${agentId}/try/voice`;
  return new WebSocket(address, { headers: { ...credentials } } as unknown as string[]);
}

/** Talks to an agent as a browser does: the microphone says a line whenever the agent has said something. */
export async function tryByVoice(
  url: string,
  credentials: Credentials,
  agentId: string,
  lines: readonly string[],
  more: object = {},
): Promise<TriedByVoice> {
  const waiting = await Promise.all(lines.map((line) => speak(url, credentials, line)));
  const events: TryVoiceEvent[] = [];
  let microphone: Buffer = Buffer.alloc(0);
  let heardBytes = 0;
  let answeredTurn = 0;
  let wasOpen = false;
  const socket = openTrySocket(url, credentials, agentId);
  socket.binaryType = "arraybuffer";
  // A microphone is never behind its clock for long, as a timer on a busy machine is.
  let sentUntilMs = performance.now();
  const sending = setInterval(() => {
    for (; sentUntilMs < performance.now(); sentUntilMs += PIECE_MS) {
      if (socket.readyState !== WebSocket.OPEN) continue;
      const piece = Buffer.alloc(PIECE_BYTES);
      microphone.copy(piece);
      microphone = microphone.subarray(PIECE_BYTES);
      socket.send(piece);
    }
  }, PIECE_MS / 2);
  const giveUp = setTimeout(() => socket.close(), GIVE_UP_MS);
  try {
    const closed = await new Promise<string>((resolve) => {
      socket.addEventListener("open", () => {
        wasOpen = true;
        socket.send(JSON.stringify({ type: "start", sampleRateHz: TRY_VOICE_RATE_HZ, ...more }));
      });
      socket.addEventListener("message", ({ data }) => {
        if (typeof data !== "string") {
          heardBytes += data.byteLength;
          return;
        }
        const event = TryVoiceEvent.parse(JSON.parse(data));
        events.push(event);
        if (event.type !== "speech" || event.role !== "agent" || event.turn === answeredTurn) return;
        // What the agent says at several nodes in one turn is answered once.
        answeredTurn = event.turn;
        microphone = waiting.shift() ?? Buffer.alloc(0);
      });
      socket.addEventListener("close", ({ code, reason }) => resolve(wasOpen ? `${code} ${reason}` : "never opened"));
    });
    return { events, heardSeconds: heardBytes / 2 / TRY_VOICE_RATE_HZ, closed };
  } finally {
    clearInterval(sending);
    clearTimeout(giveUp);
  }
}

/** What is said into the microphone, by a voice of the service itself. */
async function speak(url: string, credentials: Credentials, text: string): Promise<Buffer> {
  const reply = await fetch(`${url}/api/v1/voices/rms/preview`, {
    method: "POST",
    headers: { ...credentials, "content-type": "application/json" },
    body: JSON.stringify({ text }),
  });
  if (!reply.ok) throw new Error(`the text could not be rendered: ${await reply.text()}`);
  return Buffer.from(await reply.arrayBuffer()).subarray(WAV_HEADER_BYTES);
}
