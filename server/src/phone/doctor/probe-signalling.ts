import { connect as connectTcp, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, getCACertificates, type TLSSocket } from "node:tls";
import { NOT_CHALLENGED } from "@parley/telephony/sip/authentication/authenticate";
import { writeCSeq } from "@parley/telephony/sip/message/cseq";
import {
  type HeaderLine,
  NO_BODY,
  type ReceivedResponse,
  type SipRequest,
} from "@parley/telephony/sip/message/message";
import { param } from "@parley/telephony/sip/message/params";
import { readAddresses } from "@parley/telephony/sip/message/read-headers";
import { bracketed, escapeUser, parseUri } from "@parley/telephony/sip/message/uri";
import { type RequestResult, sendRequest } from "@parley/telephony/sip/send-request";
import { preloadedRoute, type SipTrunk, trunkUri } from "@parley/telephony/sip/sip-trunk";
import { TransactionLayer } from "@parley/telephony/sip/transaction/transaction-layer";
import { resolveTarget } from "@parley/telephony/sip/transport/resolve-target";
import type { Hop, TransportKind } from "@parley/telephony/sip/transport/sip-transport";
import { openTransports } from "@parley/telephony/sip-carrier/open-transports";
import type { Clock } from "@parley/time/clock";
import { openOnFreePort } from "../carriers/sip-ports.ts";
import type { AnswerFacts, CertificateFacts, ConnectionFacts, DoctorSurroundings, NameFacts, SeenAs } from "./facts.ts";

/** SIP sockets to ask questions over. */
export interface ProbeLine {
  /** The ports our sockets really have. */
  readonly ports: Readonly<Record<TransportKind, number>>;
  askOptions(sip: SipTrunk, hop: Hop): Promise<AnswerFacts>;
  askRegistration(sip: SipTrunk, hop: Hop, registersAs: string): Promise<AnswerFacts>;
  close(): Promise<void>;
}

const WAIT_MS = 5_000;
const NOTHING = () => undefined;

/** Opens them on the ports that calls use, or the next free ones where the service has those. */
export async function openProbeLine(surroundings: DoctorSurroundings): Promise<ProbeLine> {
  const { clock, random, sip: bound, tls } = surroundings;
  const { transports, ports } = await openOnFreePort(bound.port, (port) =>
    openTransports(clock, { sip: { ...bound, port }, ...(tls ? { tls } : {}) }),
  );
  let unreadable: string | null = null;
  const onMalformed = (reason: string) => {
    unreadable = reason;
  };
  const owner = { onRequest: NOTHING, onResponse: NOTHING, onMalformed, onError: NOTHING, onTrace: NOTHING };
  const layer = new TransactionLayer({ clock, random, transports, owner });
  const core = { clock, random, layer, softwareName: "Parley", resolve: async () => [], reportError: NOTHING };

  function ask(
    sip: SipTrunk,
    hop: Hop,
    credentials: SipTrunk["credentials"],
    build: (identity: QuestionIdentity) => SipRequest,
  ): Promise<AnswerFacts> {
    const startedMs = clock.now();
    const callId = random.hex(16);
    const localTag = random.hex(8);
    let cseq = 0;
    unreadable = null;
    const { promise, resolve } = Promise.withResolvers<AnswerFacts>();
    const giveUp = sendRequest(core, {
      build: () => {
        cseq += 1;
        return build({ callId, localTag, cseq });
      },
      hops: [hop],
      credentials,
      auth: NOT_CHALLENGED,
      ...(sip.publicAddress ? { sentBy: `${bracketed(sip.publicAddress.host)}:${sip.publicAddress.port}` } : {}),
      onDone: (result) => resolve(factsOf(result, clock.now() - startedMs, unreadable)),
    });
    const cancel = clock.setTimer(WAIT_MS, () => {
      giveUp();
      resolve({ kind: "silent", waitedMs: WAIT_MS, unreadable });
    });
    return promise.finally(cancel);
  }

  return {
    ports,
    askOptions: (sip, hop) => ask(sip, hop, null, (identity) => buildOptions(sip, identity)),
    askRegistration: (sip, hop, registersAs) =>
      ask(sip, hop, sip.credentials, (identity) => buildRegisterQuery(sip, registersAs, identity)),
    async close() {
      layer.close();
      await Promise.all(transports.map((transport) => transport.close()));
    },
  };
}

function factsOf(result: RequestResult, tookMs: number, unreadable: string | null): AnswerFacts {
  if (result.kind === "timeout") return { kind: "silent", waitedMs: tookMs, unreadable };
  if (result.kind === "transport") return { kind: "failed", reason: result.reason };
  const { status, reason } = result.response;
  const contacts = readAddresses(result.response, "Contact").length;
  const { unanswered } = result;
  return { kind: "answered", status, reason, tookMs, seenAs: seenAsOf(result.response), unanswered, contacts };
}

/** RFC 3261 section 18.2.1 and RFC 3581: `received` and `rport` of our own Via, as they came back. */
function seenAsOf({ essentials }: ReceivedResponse): SeenAs {
  const { params } = essentials.via;
  const port = Number(param(params, "rport") || Number.NaN);
  return { host: param(params, "received") || null, port: Number.isInteger(port) ? port : null };
}

/** What a request of one question repeats at each sending. */
interface QuestionIdentity {
  readonly callId: string;
  readonly localTag: string;
  readonly cseq: number;
}

/** RFC 3261 section 11: asks whether the trunk responds. */
function buildOptions(sip: SipTrunk, identity: QuestionIdentity): SipRequest {
  const asker = `<sip:doctor@${bracketed(sip.fromHost ?? sip.host)}>`;
  return build("OPTIONS", sip, identity, asker, `<sip:${bracketed(sip.host)}>`, [["Accept", "application/sdp"]]);
}

/**
 * RFC 3261 section 10.2.3: a REGISTER without a Contact asks which addresses are on record. The trunk checks the password
 * as it does for any other, and nothing that calls need is changed.
 */
function buildRegisterQuery(sip: SipTrunk, registersAs: string, identity: QuestionIdentity): SipRequest {
  const name = `<sip:${escapeUser(registersAs)}@${bracketed(sip.fromHost ?? sip.host)}>`;
  return build("REGISTER", sip, identity, name, name, []);
}

function build(
  method: "OPTIONS" | "REGISTER",
  sip: SipTrunk,
  { callId, localTag, cseq }: QuestionIdentity,
  from: string,
  to: string,
  more: readonly HeaderLine[],
): SipRequest {
  const headers: HeaderLine[] = [
    ...preloadedRoute(sip).map((route): HeaderLine => ["Route", route]),
    ["Max-Forwards", "70"],
    ["From", `${from};tag=${localTag}`],
    ["To", to],
    ["Call-ID", callId],
    ["CSeq", writeCSeq({ number: cseq, method })],
    ...more,
    ["User-Agent", "Parley"],
  ];
  return { kind: "request", method, uri: trunkUri(sip, null), headers, body: NO_BODY };
}

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
