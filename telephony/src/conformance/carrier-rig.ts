import type { Carrier, Dial, DialJournal, OrphanedLeg, SimulatedCalleePlan } from "../carrier.ts";

/** What the conformance suite needs to know about the carrier under test; created for each test. */
export interface CarrierRig {
  readonly carrier: Carrier;
  /** The same network as reached by another worker. A network inside this process has only one client. */
  readonly otherCarrier: Carrier;
  readonly numbers: CarrierTestNumbers;
  /** What the carrier reported about listeners that threw. */
  readonly listenerErrors: readonly unknown[];
  /** Passed to every dial, for carriers that need a journal. */
  readonly journal?: DialJournal;
  /** What another worker knows about a dial, for carriers that need more than the name of an orphan. */
  orphanOf?(dial: Dial): OrphanedLeg;
  /** Whether the first owner of a leg, alive in a test, is notified when another worker ends it. Default: yes. */
  firstOwnerHears?(when: "ringing" | "answered"): boolean;
  /** Lets time pass until the promise settles, and throws when that takes unreasonably long. */
  waitFor<Value>(promise: Promise<Value>, what: string): Promise<Value>;
  /** Returns when the network has delivered everything that was pending. */
  settle(): Promise<void>;
  /** Counted by the network, not by us. */
  timesRung(dialId: string): Promise<number>;
  isLive(dialId: string): Promise<boolean>;
  /** Timers and sockets that the carriers of this rig hold. */
  resourcesHeld(): number;
  close(): Promise<void>;
}

/** A rig whose callees speak and hear, for the audio suite. */
export interface AudioRig extends CarrierRig {
  readonly audio: RigAudio;
}

/** A callee who speaks as soon as it has answered, then presses keys, and stays on the line. */
export interface RigAudio {
  readonly number: string;
  /** The script for a simulated callee. */
  readonly simulation?: SimulatedCalleePlan;
  readonly says: Int16Array;
  readonly presses: string;
  /** Everything the callee of this dial has heard since its answer. */
  heard(dialId: string): Promise<Int16Array>;
  keysHeard(dialId: string): Promise<string>;
  /** Lets time pass until the condition holds; throws when that takes too long. Checked at least ten times a second. */
  until(isSo: () => Promise<boolean>, what: string): Promise<void>;
}

/** A number for each outcome of a call. */
export interface CarrierTestNumbers {
  readonly hangsUp: string;
  readonly staysOnTheLine: string;
  readonly noAnswer: string;
  readonly busy: string;
  readonly declined: string;
  readonly invalid: string;
  readonly unavailable: string;
}
