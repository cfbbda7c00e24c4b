import type { LegEnd, LegEvent, TransferProgress, TransferRequest } from "../../carrier.ts";
import type { TransferEvent } from "../../sip/invite/invite-events.ts";

/** The second leg of a bridge. */
export interface Party {
  onEvent(listener: (event: LegEvent) => void): () => void;
  hangup(): Promise<void>;
}

export interface LegTransfersDeps<Joined extends Party> {
  readonly report: (progress: TransferProgress) => void;
  readonly refer: (to: string) => void;
  /** Rejects when nothing could be sent. */
  readonly placeParty: (request: TransferRequest) => Promise<Joined>;
  readonly join: (party: Joined) => void;
  readonly endLeg: (reason: string) => void;
  readonly reportError: (error: unknown) => void;
}

/** Carries out the transfers of one leg. */
export class LegTransfers<Joined extends Party> {
  readonly #deps: LegTransfersDeps<Joined>;
  #state = NO_TRANSFER;
  #party: Joined | null = null;

  constructor(deps: LegTransfersDeps<Joined>) {
    this.#deps = deps;
  }

  ask(request: TransferRequest, isTalking: boolean): void {
    this.#input({ type: "asked", request, isTalking });
  }

  progress(progress: TransferEvent): void {
    this.#input({ type: "progress", progress });
  }

  /** Before the leg reports its end, so that nothing follows that. */
  legEnded(): void {
    this.#input({ type: "leg_ended" });
  }

  #input(input: TransferInput): void {
    const [next, effects] = stepTransfer(this.#state, input);
    this.#state = next;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: TransferEffect): void {
    switch (effect.do) {
      case "report":
        return this.#deps.report(effect.progress);
      case "refer":
        return this.#deps.refer(effect.to);
      case "place_party":
        this.#place(effect.request).catch(this.#deps.reportError);
        return;
      case "join":
        if (this.#party !== null) this.#deps.join(this.#party);
        return;
      case "drop_party":
        this.#party?.hangup().catch(this.#deps.reportError);
        return;
      case "end_leg":
        return this.#deps.endLeg(effect.reason);
    }
  }

  async #place(request: TransferRequest): Promise<void> {
    let party: Joined;
    try {
      party = await this.#deps.placeParty(request);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#input({ type: "party_ended", end: { code: null, reason } });
      return;
    }
    if (this.#state.phase !== "bridging") {
      await party.hangup();
      return;
    }
    this.#party = party;
    party.onEvent((event) => this.#follow(event));
  }

  #follow(event: LegEvent): void {
    if (event.type === "ringing") this.#input({ type: "party_rang" });
    else if (event.type === "answered") this.#input({ type: "party_answered" });
    else if (event.type === "ended") this.#input({ type: "party_ended", end: event });
  }
}

/**
 * The states of a leg as far as transfers go:
 *
 * - idle: no transfer was requested, or the last one failed.
 * - referring: the network was asked to connect the two (RFC 3515) and reports the progress.
 * - bridging: a second leg is being placed.
 * - bridged: both legs hear each other, until one of them ends.
 * - over: the callee was handed over, or the leg has ended.
 */
export type TransferState =
  | { readonly phase: "idle" }
  | { readonly phase: "referring"; readonly request: TransferRequest; readonly rings: boolean }
  | { readonly phase: "bridging"; readonly rings: boolean }
  | { readonly phase: "bridged" }
  | { readonly phase: "over" };

export type TransferInput =
  | { readonly type: "asked"; readonly request: TransferRequest; readonly isTalking: boolean }
  | { readonly type: "progress"; readonly progress: TransferEvent }
  | { readonly type: "party_rang" }
  | { readonly type: "party_answered" }
  | { readonly type: "party_ended"; readonly end: Pick<LegEnd, "code" | "reason"> }
  | { readonly type: "leg_ended" };

export type TransferEffect =
  | { readonly do: "report"; readonly progress: TransferProgress }
  | { readonly do: "refer"; readonly to: string }
  | { readonly do: "place_party"; readonly request: TransferRequest }
  | { readonly do: "join" }
  | { readonly do: "drop_party" }
  | { readonly do: "end_leg"; readonly reason: string };

export type TransferStep = readonly [state: TransferState, effects: readonly TransferEffect[]];

export const NO_TRANSFER: TransferState = { phase: "idle" };
const OVER: TransferState = { phase: "over" };

export function stepTransfer(state: TransferState, input: TransferInput): TransferStep {
  if (input.type === "asked") return ask(state, input.request, input.isTalking);
  switch (state.phase) {
    case "referring":
      if (input.type === "progress") return stepReferring(state, input.progress);
      return input.type === "leg_ended" ? [OVER, [report("refer", "failed", null, OUTCOME_UNKNOWN)]] : [state, []];
    case "bridging":
      return stepBridging(state, input);
    case "bridged":
      if (input.type === "party_ended") return [OVER, [{ do: "end_leg", reason: "The other party hung up." }]];
      return input.type === "leg_ended" ? [OVER, [{ do: "drop_party" }]] : [state, []];
    case "idle":
      return input.type === "leg_ended" ? [OVER, []] : [state, []];
    case "over":
      return [state, []];
  }
}

const OUTCOME_UNKNOWN = "The call ended before the outcome of the transfer was known.";

function ask(state: TransferState, request: TransferRequest, isTalking: boolean): TransferStep {
  const how = request.how === "bridge" ? "bridge" : "refer";
  // RFC 3261 section 21.4.27: what cannot be done now may be possible later.
  if (!isTalking) return [state, [report(how, "failed", 491, "There is no one on the line to transfer.")]];
  if (state.phase !== "idle") return [state, [report(how, "failed", 491, "Another transfer is under way.")]];
  if (how === "bridge") return bridge(request);
  const effects: TransferEffect[] = [report("refer", "trying", null, ""), { do: "refer", to: request.to }];
  return [{ phase: "referring", request, rings: false }, effects];
}

function bridge(request: TransferRequest): TransferStep {
  const effects: TransferEffect[] = [report("bridge", "trying", null, ""), { do: "place_party", request }];
  return [{ phase: "bridging", rings: false }, effects];
}

function stepReferring(state: Extract<TransferState, { phase: "referring" }>, progress: TransferEvent): TransferStep {
  const { status, reason, isFinal, isReported } = progress;
  if (!isFinal) {
    if (status < 180 || state.rings) return [state, []];
    return [{ ...state, rings: true }, [report("refer", "ringing", status, reason)]];
  }
  if (status < 300) {
    const effects: TransferEffect[] = [report("refer", "completed", status, reason)];
    return [OVER, [...effects, { do: "end_leg", reason: "The call was transferred." }]];
  }
  // Without a reported failure, the target may be ringing, and a second leg would ring it twice.
  if (state.request.how === "auto" && isReported) return bridge(state.request);
  return [NO_TRANSFER, [report("refer", "failed", isReported ? status : null, reason)]];
}

function stepBridging(state: Extract<TransferState, { phase: "bridging" }>, input: TransferInput): TransferStep {
  switch (input.type) {
    case "party_rang":
      return state.rings ? [state, []] : [{ ...state, rings: true }, [report("bridge", "ringing", null, "")]];
    case "party_answered":
      return [{ phase: "bridged" }, [{ do: "join" }, report("bridge", "completed", null, "")]];
    case "party_ended":
      return [NO_TRANSFER, [report("bridge", "failed", input.end.code, input.end.reason)]];
    case "leg_ended":
      return [
        OVER,
        [{ do: "drop_party" }, report("bridge", "failed", null, "The call ended before the other answered.")],
      ];
    default:
      return [state, []];
  }
}

function report(
  how: TransferProgress["how"],
  state: TransferProgress["state"],
  code: number | null,
  reason: string,
): TransferEffect {
  return { do: "report", progress: { type: "transfer_progressed", how, state, code, reason } };
}
