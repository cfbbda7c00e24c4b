import type { OperatorAccount } from "@parley/contract/accounts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatBalance, formatFull, formatMoment } from "../../../ui/format.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { operatorAccountsQuery } from "./account-queries.ts";
import { operatorAccountsText } from "./text.ts";

/** Operator > Accounts: who uses this installation, their credit and limits. */
export function AccountsPage() {
  const accounts = useInfiniteQuery(operatorAccountsQuery);
  return (
    <Page title={operatorAccountsText.accounts} lead={operatorAccountsText.lead}>
      <Card title={operatorAccountsText.allAccounts} isFlush>
        <PagedList
          list={accounts}
          label={operatorAccountsText.loadingAccounts}
          empty={
            <EmptyState
              icon={<Building2 />}
              title={operatorAccountsText.noAccountYet}
              text={operatorAccountsText.emptyList}
            />
          }
        >
          {(rows) => (
            <ul className="mt-2 divide-y divide-line border-t border-line">
              {rows.map((account) => (
                <AccountRow key={account.id} account={account} />
              ))}
            </ul>
          )}
        </PagedList>
      </Card>
    </Page>
  );
}

function AccountRow({ account }: { readonly account: OperatorAccount }) {
  const { id, name, createdAt, balance, concurrencyMax, callsPerSecond } = account;
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-1 px-4 py-4 hover:bg-sunken/50 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/operator/accounts/$accountId"
            params={{ accountId: id }}
            className="font-medium break-words after:absolute after:inset-0"
          >
            {name}
          </Link>
          {concurrencyMax === 0 ? <Badge tone="warning">{operatorAccountsText.paused}</Badge> : null}
        </p>
        <p className="text-sm text-ink-soft" title={formatFull(createdAt)}>
          {operatorAccountsText.since(formatMoment(createdAt))}
        </p>
      </div>
      <p className="text-sm text-ink-soft">{operatorAccountsText.limitsSummary(concurrencyMax, callsPerSecond)}</p>
      <p className="ml-auto w-24 text-right font-semibold tabular-nums">{formatBalance(balance)}</p>
    </li>
  );
}
