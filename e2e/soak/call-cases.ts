import { createRandom } from "@parley/audio/testing/random";
import type { Dial, LegEnd } from "@parley/telephony/carrier";
import type { HeaderLine } from "@parley/telephony/sip/message/message";
import type { TrunkPlan } from "../sip/trunk-to.ts";
import * as scripts from "./far-end/scripts.ts";
import { hangUpAtOnce, hangUpWhenRinging, justWait, type OurPart, talkAndHangUp } from "./our-part.ts";

/** A way in which a call can go: what the callee does, what we do, and how the leg must end. */
export interface CallCase {
  readonly name: string;
  readonly plays: scripts.FarScript;
  /** The case whose callee is phoned when the first trunk cannot. */
  readonly fallsBackTo?: scripts.FarScript;
  /** Special settings of the trunk to the callee behind this port. */
  readonly trunk?: (port: number) => TrunkPlan;
  readonly dial?: Partial<Dial>;
  readonly weDo: OurPart;
  readonly ends: readonly Partial<LegEnd>[];
  /** A failing trunk is soon avoided by its circuit breaker, and then its callee sees fewer calls than were placed. */
  readonly isSpared?: boolean;
  /** No one listens at the other end. */
  readonly isGone?: boolean;
}

const DIGEST_DOMAIN = "trunk.test";
/** Three real seconds: a busy machine must not be too late with its 180. */
const RING_MS = 24_000;
const BY_US: CallCase["ends"] = [{ cause: "hangup", by: "us" }];
const BY_CALLEE: CallCase["ends"] = [{ cause: "hangup", by: "callee" }];
const CANCELED: CallCase["ends"] = [{ cause: "canceled", by: "us" }];
const UNAVAILABLE: CallCase["ends"] = [{ cause: "unavailable" }];
const OVER_TCP = () => ({ sip: { transport: "tcp" } }) as const;

function callCase(name: string, plays: scripts.FarScript, weDo: OurPart, ends: CallCase["ends"]): CallCase {
  return { name, plays, weDo, ends };
}

function refused(code: number, cause: LegEnd["cause"], headers: readonly HeaderLine[] = []): CallCase {
  return callCase(`refused with ${code}`, scripts.refuses(code, headers), justWait, [{ cause, code }]);
}

function challenged(status: 401 | 407, password: string, weDo: OurPart, ends: CallCase["ends"]): CallCase {
  const isWrongExpected = password === "s3cret" ? null : scripts.saysNothing;
  const plays = scripts.wantsPassword(status, "s3cret", isWrongExpected);
  const trunk = (port: number): TrunkPlan => ({
    sip: {
      host: DIGEST_DOMAIN,
      port: null,
      outboundProxy: `sip:127.0.0.1:${port}`,
      credentials: { username: "alice", password },
    },
  });
  return { ...callCase(`${status}, password ${password}`, plays, weDo, ends), trunk };
}

/** Everything that the tests with real peers show one by one, and what those cannot do. */
export const CALL_CASES: readonly CallCase[] = [
  callCase("answered, we hang up", scripts.answers, talkAndHangUp, BY_US),
  { ...callCase("answered over TCP", scripts.answers, talkAndHangUp, BY_US), trunk: OVER_TCP },
  callCase("answered, callee hangs up", scripts.answersAndHangsUp, justWait, BY_CALLEE),
  refused(486, "busy"),
  refused(603, "declined"),
  refused(404, "invalid_number"),
  refused(302, "unreachable", [["Contact", "<sip:elsewhere@127.0.0.1:9>"]]),
  { ...refused(503, "unavailable"), ends: UNAVAILABLE, isSpared: true },
  {
    ...callCase("503, then the next trunk", scripts.refuses(503), talkAndHangUp, BY_US),
    fallsBackTo: scripts.answers,
    isSpared: true,
  },
  {
    ...callCase("nobody answers", scripts.ringsUntilCanceled, justWait, [{ cause: "no_answer" }]),
    dial: { ringTimeoutMs: RING_MS },
  },
  callCase("canceled while ringing", scripts.ringsUntilCanceled, hangUpWhenRinging, CANCELED),
  callCase("answered when canceled", scripts.answersWhenCanceled, hangUpWhenRinging, CANCELED),
  challenged(401, "s3cret", talkAndHangUp, BY_US),
  challenged(401, "wrong", justWait, [{ cause: "rejected", code: 403 }]),
  challenged(407, "s3cret", talkAndHangUp, BY_US),
  challenged(407, "wrong", justWait, [{ cause: "rejected", code: 407 }]),
  callCase("early sound", scripts.soundsEarly(false), talkAndHangUp, BY_US),
  callCase("early sound, PRACK", scripts.soundsEarly(true), talkAndHangUp, BY_US),
  callCase("answered twice", scripts.answersTwice, justWait, BY_CALLEE),
  callCase("BYE confirmed late", scripts.confirmsByeLate, talkAndHangUp, BY_US),
  callCase("BYE never confirmed", scripts.neverConfirmsBye, talkAndHangUp, [{ cause: "lost" }]),
  callCase("held, codec changed", scripts.holdsAndChangesCodec, justWait, BY_CALLEE),
  callCase("forked", scripts.forks, justWait, BY_CALLEE),
  callCase("callee refreshes", scripts.refreshesItself, justWait, BY_CALLEE),
  callCase("we refresh", scripts.wantsToBeRefreshed, justWait, BY_CALLEE),
  callCase("callee forgets to refresh", scripts.forgetsToRefresh, justWait, [{ cause: "lost", by: "network" }]),
  callCase("asks for T.38", scripts.wantsFax, justWait, BY_CALLEE),
  { ...callCase("no response at all", scripts.saysNothing, justWait, UNAVAILABLE), isSpared: true },
  {
    // The first few find out that no one is there; once the trunk is avoided there is nothing to hang up any more.
    ...callCase("hung up before any response", scripts.saysNothing, hangUpAtOnce, [
      ...CANCELED,
      { cause: "lost" },
      ...UNAVAILABLE,
    ]),
    isSpared: true,
  },
  {
    ...callCase("nobody listens", scripts.saysNothing, justWait, UNAVAILABLE),
    trunk: OVER_TCP,
    isSpared: true,
    isGone: true,
  },
  {
    // What is left of a response may be any response. It only must end.
    ...callCase("babbling", scripts.babbles(createRandom(Number(process.env["SOAK_SEED"] ?? 1))), justWait, [{}]),
    dial: { ringTimeoutMs: RING_MS },
    isSpared: true,
  },
];

const FIRST_DIGITS = "+1555";
/** Marks a call over the second trunk of its case. */
const SECOND_TRUNK = "9";

/** A case is dialed by a number of its own; what comes over its second trunk is dialed with a prefix. */
export function numberOf(index: number): string {
  return `${FIRST_DIGITS}${10 + index}01`;
}

export const SECOND_TRUNK_PREFIX = SECOND_TRUNK;

export function caseOf(dialed: string): Pick<CallCase, "name" | "plays"> {
  const isSecond = dialed.startsWith(SECOND_TRUNK);
  const index = CALL_CASES.findIndex((_, each) => numberOf(each).slice(1) === dialed.replace(/^9?\+?/, ""));
  const found = CALL_CASES[index];
  if (found === undefined) throw new Error(`there is no number ${dialed}`);
  if (!isSecond || found.fallsBackTo === undefined) return found;
  return { name: `${found.name} (second)`, plays: found.fallsBackTo };
}
