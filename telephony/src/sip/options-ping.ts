import type { AgentCore } from "./agent-core.ts";
import { NOT_CHALLENGED } from "./authentication/authenticate.ts";
import { writeCSeq } from "./message/cseq.ts";
import { type HeaderLine, NO_BODY, type SipRequest } from "./message/message.ts";
import { bracketed } from "./message/uri.ts";
import { sendRequest } from "./send-request.ts";
import { preloadedRoute, publicSentBy, type SipTrunk, trunkUri } from "./sip-trunk.ts";
import type { Hop } from "./transport/sip-transport.ts";

export interface PingResult {
  /** Any response shows that the peer is alive, even a refusal. */
  readonly isReachable: boolean;
  readonly status: number | null;
  readonly reason: string;
  readonly roundTripMs: number;
}

export interface PingDeps {
  readonly core: AgentCore;
  readonly trunk: SipTrunk;
  readonly hops: () => Promise<readonly Hop[]>;
}

/** RFC 3261 section 11: asks whether the trunk responds. Resolves in 32 s at the latest. */
export async function pingOnce({ core, trunk, hops }: PingDeps): Promise<PingResult> {
  const found = await hops();
  const startedMs = core.clock.now();
  const localTag = core.random.hex(8);
  const callId = core.random.hex(16);
  let cseq = 0;
  return new Promise((resolve) => {
    sendRequest(core, {
      build: () => {
        cseq += 1;
        return buildOptions(core, trunk, { callId, localTag, cseq });
      },
      hops: found,
      ...publicSentBy(trunk),
      // A challenge is as good a sign of life as any other response.
      credentials: null,
      auth: NOT_CHALLENGED,
      onDone: (result) => {
        const roundTripMs = core.clock.now() - startedMs;
        if (result.kind === "response") {
          const { status, reason } = result.response;
          resolve({ isReachable: true, status, reason, roundTripMs });
        } else {
          const reason = result.kind === "timeout" ? "no answer" : result.reason;
          resolve({ isReachable: false, status: null, reason, roundTripMs });
        }
      },
    });
  });
}

/** Pings periodically, never concurrently. Returns the function that stops it. */
export function keepPinging(deps: PingDeps, intervalMs: number, onResult: (result: PingResult) => void): () => void {
  let isStopped = false;
  let cancelTimer: () => void = () => undefined;
  function ask(): void {
    pingOnce(deps)
      .then((result) => {
        if (isStopped) return;
        cancelTimer = deps.core.clock.setTimer(intervalMs, ask);
        onResult(result);
      })
      .catch(deps.core.reportError);
  }
  ask();
  return () => {
    isStopped = true;
    cancelTimer();
  };
}

function buildOptions(
  core: AgentCore,
  trunk: SipTrunk,
  { callId, localTag, cseq }: { callId: string; localTag: string; cseq: number },
): SipRequest {
  const headers: HeaderLine[] = [
    ...preloadedRoute(trunk).map((route): HeaderLine => ["Route", route]),
    ["Max-Forwards", "70"],
    ["From", `<sip:ping@${bracketed(trunk.fromHost ?? trunk.host)}>;tag=${localTag}`],
    ["To", `<sip:${bracketed(trunk.host)}>`],
    ["Call-ID", callId],
    ["CSeq", writeCSeq({ number: cseq, method: "OPTIONS" })],
    ["Accept", "application/sdp"],
    ["User-Agent", core.softwareName],
  ];
  return { kind: "request", method: "OPTIONS", uri: trunkUri(trunk, null), headers, body: NO_BODY };
}
