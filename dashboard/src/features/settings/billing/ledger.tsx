import type { LedgerEntry } from "@parley/contract/credits";
import { listLedger } from "@parley/contract/routes/account";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, ReceiptText } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { pagesOf } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment, formatUsd } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { describeLedgerEntry } from "./describe-entry.ts";
import { billingText } from "./text.tsx";

/** The key starts like that of the balance, so that both are invalidated together. */
const ledgerQuery = pagesOf(["account", "ledger"], listLedger);

/** Credits and costs of calls, newest first. */
export function Ledger() {
  const ledger = useInfiniteQuery(ledgerQuery);
  const isEmpty = !ledger.data?.pages.some(({ rows }) => rows.length > 0);
  return (
    <Card title={billingText.ledger} isFlush aside={isEmpty ? null : <ExportButton />}>
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

function ExportButton() {
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => (await import("./export-ledger.ts")).exportLedger(),
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <Button size="small" onClick={() => mutate()} isBusy={isPending}>
      <Download aria-hidden="true" />
      {billingText.exportCsv}
    </Button>
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
