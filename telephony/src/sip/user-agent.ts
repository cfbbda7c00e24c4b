import type { Clock } from "@parley/time/clock";
import type { AgentCore } from "./agent-core.ts";
import { createStrayAnswerer, RecentAddresses } from "./answer-stray.ts";
import type { DialogRecord, InviteRecord, LegRecord } from "./dialog/dialog-record.ts";
import { cancelLateRinging, cancelLostInvite, endLostDialog, settleLateFinal } from "./end-orphan.ts";
import { guardClock, guardMedia } from "./guard.ts";
import type { InviteOrder } from "./invite/build-invite.ts";
import { InviteClient } from "./invite/invite-client.ts";
import type { MediaNegotiation } from "./invite/invite-events.ts";
import { prepareInvite } from "./invite/prepare-invite.ts";
import type { ReceivedRequest, ReceivedResponse } from "./message/message.ts";
import { parseUri } from "./message/uri.ts";
import { keepPinging, type PingResult, pingOnce } from "./options-ping.ts";
import type { RandomSource } from "./random-source.ts";
import { Registration, type RegistrationState } from "./registration.ts";
import type { SipTrunk } from "./sip-trunk.ts";
import { preloadedRoute, trunkUri } from "./sip-trunk.ts";
import { TRANSACTION_MAX_MS } from "./transaction/timer-values.ts";
import { TransactionLayer } from "./transaction/transaction-layer.ts";
import { type NameResolver, resolveTarget } from "./transport/resolve-target.ts";
import type { Hop, SipTransport, TransportKind } from "./transport/sip-transport.ts";

export interface UserAgentOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** At most one per kind and address family. Their owner closes them, after the agent. */
  readonly transports: readonly SipTransport[];
  readonly resolver: NameResolver;
  readonly softwareName?: string;
  readonly reportError?: (error: unknown) => void;
  readonly onMalformed?: (reason: string, source: Hop) => void;
  /** A request that belongs to none of our calls. */
  readonly onStray?: (request: ReceivedRequest, source: Hop) => void;
  /** Sees every message as it leaves and arrives. They never contain passwords, but do contain telephone numbers. */
  readonly onTrace?: (direction: "in" | "out", hop: Hop, bytes: Buffer) => void;
}

export interface InviteRequest extends InviteOrder {
  readonly ringTimeoutMs: number;
  readonly media: MediaNegotiation;
  readonly commitAnswer?: (record: DialogRecord) => Promise<void>;
  /** Both are random by default. */
  readonly callId?: string;
  readonly localTag?: string;
  readonly hop?: Hop;
}

/** An INVITE of which nothing has been sent. `record` is written down before `start`. */
export type PreparedInvite =
  | { readonly ok: true; readonly record: InviteRecord; readonly start: () => InviteClient }
  | { readonly ok: false; readonly reason: string };

interface Orphan {
  readonly trunk: SipTrunk;
  readonly record: InviteRecord;
  readonly onTerminated: () => void;
  /** One CANCEL is enough, since it is repeated until it is answered. */
  isCanceled: boolean;
}

/** Our end of SIP: places calls, answers what comes inside them, registers, and rejects strangers. */
export class UserAgent {
  readonly #core: AgentCore;
  readonly #answerStray: ReturnType<typeof createStrayAnswerer>;
  readonly #invites = new Map<string, InviteClient>();
  /** Abandoned INVITEs, of dead processes or given up: we handle their later responses. */
  readonly #orphans = new Map<string, Orphan>();
  readonly #closers = new Set<() => void>();
  readonly #trunkAddresses = new RecentAddresses();
  readonly #onStray: NonNullable<UserAgentOptions["onStray"]>;

  constructor(options: UserAgentOptions) {
    const { random, resolver } = options;
    const reportError = options.reportError ?? warn;
    const clock = guardClock(options.clock, reportError);
    const nothing = () => undefined;
    const layer = new TransactionLayer({
      clock,
      random,
      transports: options.transports,
      owner: {
        onRequest: (request, source, byteLength) => this.#onRequest(request, source, byteLength),
        onResponse: (response) => this.#onLateResponse(response),
        onMalformed: options.onMalformed ?? nothing,
        knowsCall: (callId) => this.#invites.has(callId),
        onTrace: options.onTrace ?? nothing,
        onError: reportError,
      },
    });
    for (const transport of options.transports) {
      transport.onFlowLost?.((flow) => {
        for (const invite of this.#invites.values()) invite.flowLost(transport.kind, flow);
      });
    }
    this.#core = {
      clock,
      random,
      layer,
      softwareName: options.softwareName ?? "Parley",
      reportError,
      resolve: async (uri, defaultTransport) => {
        try {
          return await resolveTarget(uri, { resolver, random, defaultTransport });
        } catch (error) {
          reportError(error);
          return [];
        }
      },
    };
    this.#answerStray = createStrayAnswerer(this.#core, (address) => this.#trunkAddresses.has(address));
    this.#onStray = options.onStray ?? nothing;
  }

  /** The machines of a trunk, best first; none when DNS knows none. */
  async resolveTrunk(trunk: SipTrunk, transport: TransportKind = trunk.transport): Promise<readonly Hop[]> {
    const [route] = preloadedRoute(trunk);
    const uri = parseUri(route === undefined ? trunkUri(trunk, null, transport) : route.slice(1, -1));
    const hops = uri?.scheme === "sip" || uri?.scheme === "sips" ? await this.#core.resolve(uri, transport) : [];
    for (const { address } of hops) this.#trunkAddresses.note(address);
    // A name may have addresses of a family that this machine does not support. If all are, the sending fails.
    const usable = hops.filter((hop) => this.#core.layer.transportTo(hop) !== null);
    return usable.length > 0 ? usable : hops;
  }

  async prepareInvite(request: InviteRequest): Promise<PreparedInvite> {
    const { callId, localTag, hop } = request;
    const prepared = await prepareInvite({
      core: this.#core,
      order: request,
      hops: (transport) => this.resolveTrunk(request.trunk, transport),
      ...(callId === undefined ? {} : { callId }),
      ...(localTag === undefined ? {} : { localTag }),
      ...(hop === undefined ? {} : { hop }),
    });
    if (!prepared.ok) return prepared;
    const { record, identity } = prepared;
    return { ok: true, record, start: () => this.#start(request, record, identity) };
  }

  /** Prepares and sends in one step, for callers without a journal. Rejects only when nothing can be sent. */
  async placeInvite(request: InviteRequest): Promise<InviteClient> {
    const prepared = await this.prepareInvite(request);
    if (!prepared.ok) throw new Error(prepared.reason);
    return prepared.start();
  }

  /** Ends what another process placed and lost. True when the network confirmed that it is gone. */
  endOrphan(trunk: SipTrunk, record: LegRecord): Promise<boolean> {
    if (record.kind === "dialog") return endLostDialog(this.#core, trunk, record);
    const terminated = Promise.withResolvers<boolean>();
    this.#adopt({ trunk, record, onTerminated: () => terminated.resolve(true), isCanceled: true });
    return Promise.race([cancelLostInvite(this.#core, record), terminated.promise]);
  }

  /** For the next minute, any later response to an abandoned INVITE is ended again. */
  settleLate(trunk: SipTrunk, record: InviteRecord): void {
    this.#adopt({ trunk, record, onTerminated: () => undefined, isCanceled: false });
  }

  register(trunk: SipTrunk, user: string, expiresS: number, onState: (state: RegistrationState) => void): Registration {
    const hops = () => this.resolveTrunk(trunk);
    const abandon = () => registration.abandon();
    const onStopped = () => this.#closers.delete(abandon);
    const registration = new Registration({ core: this.#core, trunk, user, expiresS, hops, onState, onStopped });
    this.#closers.add(abandon);
    registration.start();
    return registration;
  }

  ping(trunk: SipTrunk): Promise<PingResult> {
    return pingOnce({ core: this.#core, trunk, hops: () => this.resolveTrunk(trunk) });
  }

  keepPinging(trunk: SipTrunk, intervalMs: number, onResult: (result: PingResult) => void): () => void {
    const stop = keepPinging({ core: this.#core, trunk, hops: () => this.resolveTrunk(trunk) }, intervalMs, onResult);
    this.#closers.add(stop);
    return () => {
      this.#closers.delete(stop);
      stop();
    };
  }

  get openInvites(): number {
    return this.#invites.size;
  }

  get openTransactions(): number {
    return this.#core.layer.openTransactions;
  }

  /** Forgets everything immediately, without notifying peers. Hang up and unregister first. */
  close(): void {
    for (const stop of this.#closers) stop();
    this.#closers.clear();
    for (const invite of [...this.#invites.values()]) invite.abandon();
    this.#core.layer.close();
  }

  #start(
    request: InviteRequest,
    record: InviteRecord,
    identity: ConstructorParameters<typeof InviteClient>[0]["identity"],
  ): InviteClient {
    const client = new InviteClient({
      core: this.#core,
      order: request,
      identity,
      record,
      media: guardMedia(request.media, request.sdp, this.#core.reportError),
      ringTimeoutMs: request.ringTimeoutMs,
      commitAnswer: request.commitAnswer ?? (() => Promise.resolve()),
      onClosed: () => this.#invites.delete(record.callId),
    });
    this.#invites.set(record.callId, client);
    client.start();
    return client;
  }

  #adopt(orphan: Orphan): void {
    const { callId } = orphan.record;
    const forget = () => {
      this.#orphans.delete(callId);
      this.#closers.delete(stopWaiting);
    };
    const stopWaiting = this.#core.clock.setTimer(2 * TRANSACTION_MAX_MS, forget);
    this.#closers.add(stopWaiting);
    this.#orphans.set(callId, orphan);
  }

  #onLateResponse(response: ReceivedResponse): void {
    const orphan = this.#orphans.get(response.essentials.callId);
    if (orphan === undefined || response.essentials.cseq.method !== "INVITE") return;
    if (response.status < 200) {
      if (!orphan.isCanceled) cancelLateRinging(this.#core, orphan.record, response);
      orphan.isCanceled = true;
      return;
    }
    settleLateFinal(this.#core, orphan.trunk, orphan.record, response);
    // RFC 3261 section 9.2: the INVITE that was cancelled says so itself. Others may be silent about sendings they forgot.
    if (response.status === 487) orphan.onTerminated();
  }

  #onRequest(request: ReceivedRequest, source: Hop, byteLength: number): void {
    const client = this.#invites.get(request.essentials.callId);
    if (client?.receive(request, source) === true) return;
    this.#answerStray(request, source, byteLength);
    this.#onStray(request, source);
  }
}

function warn(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning("Something went wrong inside the SIP user agent.", { type: "SipWarning", detail });
}
