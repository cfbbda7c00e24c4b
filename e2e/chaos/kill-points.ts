/** Traffic between a worker and one of its neighbours, identified by a piece of its bytes. */
export interface Sign {
  readonly neighbour: Neighbour;
  readonly from: "worker" | "neighbour";
  readonly says: string;
  /** It may pass on another connection than the previous one. */
  readonly isAnywhere?: boolean;
}

export type Neighbour = "database" | "network";

/** A moment in the life of a call at which a worker is killed: when the last of the signs passes, or instead of it. */
export interface KillPoint {
  readonly name: string;
  readonly signs: readonly Sign[];
  /** Whether the last sign still reaches its destination. */
  readonly arrives: boolean;
}

// Statements are prepared under the name that their comment gives them, and each execution names it. PostgreSQL ends a
// command's text and its tag with a zero byte.
const statement = (name: string): Sign => ({ neighbour: "database", from: "worker", says: name });
const COMMIT_ASKED: Sign = { neighbour: "database", from: "worker", says: "commit\u0000" };
const COMMIT_DONE: Sign = { neighbour: "database", from: "neighbour", says: "COMMIT\u0000" };
/** In the reply to a claim that found a call. */
const CALL_CLAIMED: Sign = { neighbour: "database", from: "neighbour", says: "claimed", isAnywhere: true };
const sends = (type: string): Sign => ({ neighbour: "network", from: "worker", says: `{"type":"${type}"` });
const hears = (type: string): Sign => ({ neighbour: "network", from: "neighbour", says: `"event":{"type":"${type}"` });

const before = (name: string, ...signs: Sign[]): KillPoint => ({ name, signs, arrives: false });
const after = (name: string, ...signs: Sign[]): KillPoint => ({ name, signs, arrives: true });

/**
 * Every step of a call, at its worst moment: a worker does not learn that its commit succeeded, does not receive what
 * the network sent, or does not know whether its own message was sent.
 */
export const KILL_POINTS: readonly KillPoint[] = [
  before("after the claim", statement("claim_waiting_calls"), CALL_CLAIMED, COMMIT_DONE),
  before("before the write-ahead", statement("commit_first_attempt"), COMMIT_ASKED),
  before("after the write-ahead", statement("commit_first_attempt"), COMMIT_ASKED, COMMIT_DONE),
  after("after the INVITE", sends("place")),
  before("at the 180", hears("ringing")),
  before("at the 200", hears("answered")),
  after("in mid-talk", statement("set_talking"), { ...statement("renew_leases"), isAnywhere: true }),
  before("before the BYE", sends("hangup")),
  after("after the BYE", sends("hangup")),
  before("at the end of the line", hears("ended")),
  before("before the settlement", statement("set_ended"), COMMIT_ASKED),
  before("after the settlement", statement("set_ended"), COMMIT_ASKED, COMMIT_DONE),
];
