import type { LedgerEntry } from "@parley/contract/credits";
import { formatUsd, parseUsd } from "@parley/contract/money";

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
    case "hold":
      return { title: "Set aside for a call", detail: "It comes back, less what the call costs." };
    case "hold_extended":
      return { title: "More was set aside for a call", detail: "It went on for longer." };
    case "released":
      return { title: "A call cost nothing", detail: note ?? "What was set aside for it came back." };
    case "settled":
      return { title: `A call cost $${costOf(entry)}`, detail: "The rest of what was set aside came back." };
  }
}

/** What left the account for good: what was held and did not come back. */
export function costOf({ balanceChange, heldChange }: LedgerEntry): string {
  return formatUsd(-(microsOf(balanceChange) + microsOf(heldChange)));
}

function microsOf(amount: string): bigint {
  return amount.startsWith("-") ? -parseUsd(amount.slice(1)) : parseUsd(amount);
}
