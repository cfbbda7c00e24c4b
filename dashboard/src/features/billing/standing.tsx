import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { inWords } from "../../api/refusal.ts";
import { accountQuery } from "../../api/sign-in-state.ts";
import { formatBalance, formatUsd } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Where the account stands: what can be spent, what is reserved, what today has cost. */
export function Standing() {
  const { data, error } = useQuery(accountQuery);
  if (error && !data) return <Notice tone="danger">{inWords(error)}</Notice>;
  const cap = data?.limits.dailySpendCap;
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      <Figure name="Left to spend" note="In USD. Credit is added by whoever runs this installation.">
        {data ? formatBalance(data.balance) : null}
      </Figure>
      <Figure name="Reserved" note="For calls that are queued or live. What they don’t use comes back.">
        {data ? formatShort(data.held) : null}
      </Figure>
      <Figure
        name="Spent today"
        note={cap ? `Of ${formatUsd(cap)} that a day (UTC) may cost.` : "Days are UTC. There is no cap."}
      >
        {data ? formatShort(data.usage.spentToday) : null}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div className="rounded-2xl border border-line bg-surface px-5 py-4">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="mt-1">
        <span className="block text-2xl font-semibold tracking-tight tabular-nums">
          {children ?? <Skeleton className="my-1 h-6 w-24" />}
        </span>
        <span className="mt-1 block text-xs leading-5 text-ink-soft">{note}</span>
      </dd>
    </div>
  );
}

const DECIMALS_MAX = 4;

/** Prices have up to six decimals, of which a headline needs no more than four. */
function formatShort(amount: string): string {
  const [whole = "0", decimals = ""] = amount.split(".");
  return decimals.length > DECIMALS_MAX
    ? formatUsd(Number(amount).toFixed(DECIMALS_MAX))
    : formatUsd(`${whole}.${decimals}`);
}
