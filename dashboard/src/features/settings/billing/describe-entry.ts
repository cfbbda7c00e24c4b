import type { LedgerEntry } from "@parley/contract/credits";
import { apiText } from "../../../api/text.ts";
import { billingText } from "./text.tsx";

/** A ledger entry in plain terms. */
interface LedgerWords {
  readonly title: string;
  readonly detail: string | null;
}

export function describeLedgerEntry(entry: LedgerEntry): LedgerWords {
  const note = entry.note.trim() === "" ? null : entry.note;
  switch (entry.kind) {
    case "sign_up_credit":
      return { title: billingText.signUpCredit, detail: null };
    case "credit_added":
      return { title: billingText.creditAdded, detail: note };
    case "credit_removed":
      return { title: billingText.creditRemoved, detail: note };
    case "call":
      return { title: callTitle(entry), detail: note };
    case "call_not_charged":
      return { title: billingText.notCharged(callTitle(entry)), detail: note && apiText.wordSentence(note) };
  }
}

function callTitle({ phoneNumber }: LedgerEntry): string {
  return phoneNumber === null ? billingText.call : billingText.callTo(phoneNumber);
}
