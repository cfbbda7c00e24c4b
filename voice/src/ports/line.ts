import type { PlayoutHandle } from "@parley/audio/playout-layout";

/** The phone as a conversation sees it. Its provider keeps it in step with the carrier's leg. */
export interface Line {
  /** 8 kHz, 16 bit. One tick writes both rings, so equal positions in them are equal instants. */
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
  readonly playout: PlayoutHandle;
  /** The round trip of audio to the far end, null while it is unknown. */
  roundTripMs(): number | null;
  sendDtmf(keys: string): void;
  transfer(request: LineTransfer): void;
  /** Ends the call. The line reports `ended` like any other end. */
  hangup(): void;
}

export interface LineTransfer {
  readonly to: string;
  readonly how: "refer" | "bridge" | "auto";
}

/** The events of a line. `ended` is the last one. */
export type LineEvent =
  | { readonly type: "answered" }
  | { readonly type: "dtmf"; readonly key: string }
  | { readonly type: "audio_missing" }
  | { readonly type: "audio_returned" }
  /** The far end reports that nothing we send has arrived for this long. `wasHeard`: something did before. */
  | { readonly type: "not_heard"; readonly wasHeard: boolean; readonly forMs: number }
  | { readonly type: "heard_again" }
  | {
      readonly type: "transfer_progressed";
      readonly state: "trying" | "ringing" | "completed" | "failed";
      readonly reason: string;
    }
  | { readonly type: "ended" };

/** Whether a call may be transferred to a number, asked before anything is dialed. Never rejects. */
export type MayDial = (to: string) => Promise<DialPermission>;

export type DialPermission =
  | { readonly isAllowed: true }
  /** `reason` is for the journal, not for the callee. */
  | { readonly isAllowed: false; readonly reason: string };
