import type { LedgerEntry } from "@parley/contract/credits";

/** An entry of the ledger as somebody reads it who has never seen one. */
export interface LedgerWords {
  readonly title: string;
  readonly detail: string | null;
}

export function describeLedgerEntry(entry: LedgerEntry): LedgerWords {
  const note = entry.note.trim() === "" ? null : entry.note;
  switch (entry.kind) {
    case "sign_up_credit":
      return { title: "Free credit for a new account", detail: null };
    case "credit_added":
      return { title: "Credit was added", detail: note };
    case "credit_removed":
      return { title: "Credit was taken back", detail: note };
    case "call":
      return { title: callTitle(entry), detail: note };
    case "call_not_charged":
      return { title: `${callTitle(entry)}, not charged`, detail: note };
  }
}

function callTitle({ phoneNumber }: LedgerEntry): string {
  return phoneNumber === null ? "Call" : `Call to ${phoneNumber}`;
}
