import type { LedgerEntry } from "@parley/contract/credits";
import { listLedger } from "@parley/contract/routes/account";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ReceiptText } from "lucide-react";
import { pagesOf } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { useMode } from "../../../app/mode.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatFull, formatMoment, formatUsd } from "../../../ui/format.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { billingText } from "./text.tsx";

/** The key starts like that of the balance, so that both are invalidated together. */
const ledgerQuery = pagesOf(["account", "ledger"], listLedger);

/** Credits and costs of calls, newest first. */
export function Ledger() {
  const ledger = useInfiniteQuery(ledgerQuery);
  return (
    <Card title={billingText.ledger} isFlush>
      <PagedList
        list={ledger}
        label={billingText.loadingLedger}
        empty={<EmptyState icon={<ReceiptText />} title={billingText.nothingYet} text={billingText.emptyLedger} />}
      >
        {(rows) => (
          <ul className="mt-2 divide-y divide-line border-t border-line">
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}

function Entry({ entry }: { readonly entry: LedgerEntry }) {
  const { chooseMode } = useMode();
  const { title, detail } = describeLedgerEntry(entry);
  return (
    <li className="flex items-start gap-x-6 px-4 py-3.5 text-sm sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {detail ? (
          <p className="break-words text-ink-soft" dir="auto">
            {detail}
          </p>
        ) : null}
        <p className="flex flex-wrap gap-x-3 text-ink-soft">
          <span title={formatFull(entry.createdAt)}>{formatMoment(entry.createdAt)}</span>
          {entry.callId ? (
            <Link
              to="/calls/$callId"
              params={{ callId: entry.callId }}
              // Only live calls are in the ledger.
              onClick={() => chooseMode("live")}
              className="text-accent-text underline underline-offset-4"
            >
              {billingText.theCall}
            </Link>
          ) : null}
        </p>
      </div>
      <p className="shrink-0 text-right font-medium tabular-nums">
        {amountSign(entry.amount)}
        {formatUsd(entry.amount.replace("-", ""))}
      </p>
    </li>
  );
}

function amountSign(amount: string): string {
  if (amount.startsWith("-")) return "−";
  return Number(amount) === 0 ? "" : "+";
}

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
