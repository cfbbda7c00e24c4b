import { type MediaTerms, speechCodecOf } from "../../sdp/media-terms.ts";
import { answerReOffer, type LocalMedia, makeOffer, takeAnswer } from "../../sdp/offer-answer.ts";
import { parseSdp, writeSdp } from "../../sdp/sdp-text.ts";
import type { SessionDescription } from "../../sdp/session-description.ts";
import type { MediaNegotiation } from "../../sip/invite/invite-events.ts";

export interface NegotiatorDeps {
  readonly local: LocalMedia;
  /** Audio uses these terms from now on. `isFinal` from the answer on. */
  readonly onTerms: (terms: MediaTerms, isFinal: boolean) => void;
  /** The peer described something we cannot do. */
  readonly onUnusable: (reason: string) => void;
}

export type AnswerDecision = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Our side of offer and answer (RFC 3264) over the life of one call on one trunk. */
export class AudioNegotiator implements MediaNegotiation {
  readonly #deps: NegotiatorDeps;
  #local: LocalMedia;
  #version = 1;
  /** The description we sent last, and the offer an answer would be to. */
  #lastSent: string;
  #offer: SessionDescription;
  /** The peer's last description in answer to our first offer, and the current terms. */
  #taken: string | null = null;
  #terms: MediaTerms | null = null;
  #isAnswered = false;

  constructor(deps: NegotiatorDeps) {
    this.#deps = deps;
    this.#local = deps.local;
    this.#offer = makeOffer(deps.local, this.#version);
    this.#lastSent = writeSdp(this.#offer);
  }

  /** The offer of the INVITE. */
  get firstOffer(): string {
    return this.#lastSent;
  }

  /** A description that came with ringing. True when there may be something to hear. */
  takeEarly(sdp: string): boolean {
    const decision = this.#take(sdp, false);
    if (!decision.ok) this.#deps.onUnusable(decision.reason);
    return decision.ok;
  }

  /** The answer of the callee. Null for an answer without a description. */
  takeFinal(sdp: string | null): AnswerDecision {
    this.#isAnswered = true;
    // RFC 3311 section 5.1: what was agreed on since that description came counts, not the description.
    if (sdp !== null && sdp === this.#taken && this.#terms !== null) {
      this.#apply(this.#terms, true);
      return { ok: true };
    }
    const decision: AnswerDecision =
      sdp === null ? { ok: false, reason: "the answer says nothing about audio" } : this.#take(sdp, true);
    if (!decision.ok) this.#deps.onUnusable(decision.reason);
    return decision;
  }

  readonly answerOffer = (offer: string): { readonly sdp: string } | { readonly refuse: number } => {
    const parsed = parseSdp(offer);
    const outcome = parsed.ok ? answerReOffer(this.#local, this.#version, parsed.description) : parsed;
    if (!outcome.ok) {
      this.#deps.onUnusable(outcome.reason);
      // RFC 3261 section 21.4.26: the call continues unchanged.
      return { refuse: 488 };
    }
    this.#version += 1;
    this.#lastSent = writeSdp(outcome.answer);
    this.#apply(outcome.terms, this.#isAnswered);
    return { sdp: this.#lastSent };
  };

  /** RFC 3264 section 8: all that we can do, under a new version only where it differs from what we said last. */
  readonly currentOffer = (): string => {
    const same = makeOffer(this.#local, this.#version);
    const isNew = writeSdp(same) !== this.#lastSent;
    if (isNew) this.#version += 1;
    this.#offer = isNew ? makeOffer(this.#local, this.#version) : same;
    this.#lastSent = writeSdp(this.#offer);
    return this.#lastSent;
  };

  readonly acceptAnswer = (answer: string): void => {
    const decision = this.#take(answer, true);
    if (!decision.ok) this.#deps.onUnusable(decision.reason);
  };

  #take(sdp: string, isFinal: boolean): AnswerDecision {
    const parsed = parseSdp(sdp);
    if (!parsed.ok) return { ok: false, reason: `the description of the audio cannot be read: ${parsed.reason}` };
    const outcome = takeAnswer(this.#offer, this.#local, parsed.description);
    if (!outcome.ok) return outcome;
    this.#taken = sdp;
    this.#apply(outcome.terms, isFinal);
    return { ok: true };
  }

  /** The current codec is offered first from now on, so that a refresh of the call does not change it. */
  #apply(terms: MediaTerms, isFinal: boolean): void {
    this.#terms = terms;
    if (isFinal) {
      const used = speechCodecOf(terms.codec);
      const codecs = this.#local.codecs.toSorted((a, b) => Number(b === used) - Number(a === used));
      this.#local = { ...this.#local, codecs };
    }
    this.#deps.onTerms(terms, isFinal);
  }
}
