import { connect as connectTcp, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, getCACertificates, type TLSSocket } from "node:tls";
import { preloadedRoute, type SipTrunk, trunkUri } from "@parley/telephony/sip/sip-trunk";
import { resolveTarget } from "@parley/telephony/sip/transport/resolve-target";
import type { Hop } from "@parley/telephony/sip/transport/sip-transport";
import { parseUri } from "@parley/telephony/sip/uri";
import type { Clock } from "@parley/time/clock";
import type { CertificateFacts, ConnectionFacts, DoctorSurroundings, NameFacts } from "./facts.ts";

const WAIT_MS = 5_000;
const DAY_MS = 86_400_000;

/** Connects as calls would, says nothing, and closes again. */
export async function probeConnection(
  { clock, tls = {} }: Pick<DoctorSurroundings, "clock" | "tls">,
  hop: Hop,
): Promise<ConnectionFacts> {
  if (hop.transport === "udp") return { kind: "not_needed" };
  const startedMs = clock.now();
  const socket = hop.transport === "tls" ? openTls(hop, tls) : connectTcp({ host: hop.address, port: hop.port });
  const outcome = Promise.withResolvers<ConnectionFacts>();
  const cancel = clock.setTimer(WAIT_MS, () =>
    outcome.resolve({ kind: "failed", code: "timeout", reason: "nothing came back" }),
  );
  socket.once(hop.transport === "tls" ? "secureConnect" : "connect", () =>
    outcome.resolve({ kind: "open", tookMs: clock.now() - startedMs, certificate: readCertificate(socket, clock) }),
  );
  socket.on("error", (error: NodeJS.ErrnoException) =>
    outcome.resolve({ kind: "failed", code: error.code ?? "", reason: error.message.replace(/\.$/, "") }),
  );
  socket.once("close", () =>
    outcome.resolve({ kind: "failed", code: "ECONNRESET", reason: "the connection was closed at once" }),
  );
  try {
    return await outcome.promise;
  } finally {
    cancel();
    socket.destroy();
  }
}

/** RFC 5922: the certificate must be for the name that was resolved, as it must be for calls. */
function openTls({ address, port, serverName }: Hop, tls: NonNullable<DoctorSurroundings["tls"]>): TLSSocket {
  const { key, cert, ca } = tls;
  const name = serverName ?? address;
  return connectTls({
    host: address,
    port,
    minVersion: "TLSv1.2",
    servername: /^[\d.]+$|:/.test(name) ? "" : name,
    ...(ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] }),
    ...(key === undefined || cert === undefined ? {} : { key, cert }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  });
}

function readCertificate(socket: Socket, clock: Clock): CertificateFacts | null {
  if (!("getPeerCertificate" in socket)) return null;
  const { subject, valid_to } = (socket as TLSSocket).getPeerCertificate();
  const name = subject?.CN;
  return {
    issuedTo: (Array.isArray(name) ? name[0] : name) ?? "an unnamed owner",
    daysLeft: Math.floor((Date.parse(valid_to) - clock.now()) / DAY_MS),
  };
}

/** RFC 3263: where requests to the trunk go. */
export async function probeNames(
  { resolver, random }: Pick<DoctorSurroundings, "resolver" | "random">,
  sip: SipTrunk,
): Promise<NameFacts> {
  const [route] = preloadedRoute(sip);
  const uri = parseUri(route === undefined ? trunkUri(sip, null) : route.slice(1, -1));
  if (uri?.scheme !== "sip" && uri?.scheme !== "sips") return { kind: "unknown" };
  try {
    const hops = await resolveTarget(uri, { resolver, random, defaultTransport: sip.transport });
    return hops.length > 0 ? { kind: "found", hops } : { kind: "unknown" };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
