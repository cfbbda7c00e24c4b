import type { OperatorAccount } from "@parley/contract/accounts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Building2, ChevronLeft } from "lucide-react";
import { useEffect } from "react";
import { inWords } from "../../api/refusal.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { accountGateQuery, gateQuery } from "../gate/gate-queries.ts";
import { GateRulesForm } from "../gate/gate-rules.tsx";
import { AccountCredit } from "./account-credit.tsx";
import { AccountLimits } from "./account-limits.tsx";
import { operatorAccountsQuery } from "./account-queries.ts";

const route = getRouteApi("/signed-in/operator/accounts/$accountId");

/** One account as the operator sees it: credit, limits, and whom it may call. */
export function AccountPage() {
  const { accountId } = route.useParams();
  const { account, isSearching, error } = useOperatorAccount(accountId);
  if (!account && !isSearching && !error) return <NoAccount />;
  return (
    <Page
      title={account?.name ?? "Account"}
      above={
        <Link
          to="/operator/accounts"
          className="mb-2 inline-flex items-center gap-1 text-sm text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          Accounts
        </Link>
      }
      lead={<span className="font-mono text-sm break-all">{accountId}</span>}
    >
      {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      {isSearching ? <SkeletonRows count={4} label="Fetching the account" /> : null}
      {account ? (
        <div className="space-y-5">
          <div className="grid items-start gap-5 xl:grid-cols-2">
            <AccountCredit account={account} />
            <AccountLimits account={account} />
          </div>
          <AccountGate accountId={accountId} />
        </div>
      ) : null}
    </Page>
  );
}

/** The API lists accounts and has no route for one, so the list is read until it is found. */
function useOperatorAccount(accountId: string) {
  const accounts = useInfiniteQuery(operatorAccountsQuery);
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isPending, error } = accounts;
  const account: OperatorAccount | null =
    accounts.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === accountId) ?? null;
  const isSearching = account === null && !error && (isPending || hasNextPage);
  useEffect(() => {
    if (isSearching && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isSearching, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { account, isSearching, error };
}

function AccountGate({ accountId }: { readonly accountId: string }) {
  const own = useQuery(accountGateQuery(accountId));
  const installation = useQuery(gateQuery);
  const error = own.error ?? installation.error;
  if (error) return <Notice tone="danger">{inWords(error)}</Notice>;
  if (!own.data || !installation.data) return <SkeletonRows count={3} label="Fetching the rules" />;
  return (
    <section aria-label="Whom it may call">
      <h2 className="mb-3 text-lg font-semibold">Whom it may call</h2>
      <GateRulesForm rules={own.data} of={{ accountId, otherwise: installation.data }} />
    </section>
  );
}

function NoAccount() {
  return (
    <EmptyState
      icon={<Building2 />}
      title="There is no such account"
      text="The address may be wrong."
      action={
        <Link to="/operator/accounts" className={buttonClass({ look: "primary" })}>
          Go to accounts
        </Link>
      }
    />
  );
}
