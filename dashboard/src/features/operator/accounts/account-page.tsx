import type { OperatorAccount } from "@parley/contract/accounts";
import { changeAccountCredit, changeOperatorAccount } from "@parley/contract/routes/members";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Building2, ChevronLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { randomKey } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { accountQuery } from "../../../api/sign-in-state.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatBalance, formatUsd } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { accountGateQuery, GateRulesForm, gateQuery } from "../gate/gate-rules.tsx";
import { operatorAccountKeys, operatorAccountsQuery } from "./account-queries.ts";
import { operatorAccountsText } from "./text.ts";

const route = getRouteApi("/signed-in/operator/accounts/$accountId");

/** One account as the operator sees it: credit, limits, and whom it may call. */
export function AccountPage() {
  const { accountId } = route.useParams();
  const { account, isSearching, error } = useOperatorAccount(accountId);
  if (!account && !isSearching && !error) return <NoAccount />;
  return (
    <Page
      title={account?.name ?? operatorAccountsText.account}
      above={
        <Link
          to="/operator/accounts"
          className="mb-2 inline-flex items-center gap-1 text-sm text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {operatorAccountsText.accounts}
        </Link>
      }
      lead={<span className="font-mono text-sm break-all">{accountId}</span>}
    >
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {isSearching ? <SkeletonRows count={4} label={operatorAccountsText.loadingAccount} /> : null}
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
  if (error) return <Notice tone="danger">{errorText(error)}</Notice>;
  if (!own.data || !installation.data) return <SkeletonRows count={3} label={operatorAccountsText.loadingRules} />;
  return (
    <section aria-label={operatorAccountsText.whomItMayCall}>
      <h2 className="mb-3 text-lg font-semibold">{operatorAccountsText.whomItMayCall}</h2>
      <GateRulesForm rules={own.data} of={{ accountId, otherwise: installation.data }} />
    </section>
  );
}

function NoAccount() {
  return (
    <EmptyState
      icon={<Building2 />}
      title={operatorAccountsText.notFound}
      text={operatorAccountsText.notFoundText}
      action={
        <Link to="/operator/accounts" className={buttonClass({ look: "primary" })}>
          {operatorAccountsText.goToAccounts}
        </Link>
      }
    />
  );
}

interface CreditValues {
  change: "add" | "remove";
  amount: string;
  note: string;
}

const EMPTY: CreditValues = { change: "add", amount: "", note: "" };

/** The remaining credit of an account, and a form to add more. */
function AccountCredit({ account }: { readonly account: OperatorAccount }) {
  const { register, handleSubmit, reset } = useForm<CreditValues>({ defaultValues: EMPTY });
  // The same for every attempt at one change, so that a lost reply does not add it twice.
  const [idempotencyKey, setIdempotencyKey] = useState(randomKey);
  const { run, isBusy, error, fields } = useEdit({
    run: ({ change, amount, note }: CreditValues) =>
      send(changeAccountCredit, {
        params: { id: account.id },
        body: { change, amount: amount.trim().replace(/^\$/, ""), note },
        idempotencyKey,
      }),
    changes: [operatorAccountKeys, accountQuery.queryKey],
    message: ({ name, balance }) => operatorAccountsText.creditChanged(name, formatUsd(balance)),
    onDone: () => {
      setIdempotencyKey(randomKey());
      reset(EMPTY);
    },
  });
  return (
    <Card title={operatorAccountsText.credit}>
      <p className="text-3xl font-semibold tracking-tight tabular-nums">{formatBalance(account.balance)}</p>
      <p className="mb-4 text-sm text-ink-soft">{operatorAccountsText.leftToSpend}</p>
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={["change", "amount", "note"]} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label={operatorAccountsText.whatToDo} error={fields["change"]} {...register("change")}>
            <option value="add">{operatorAccountsText.giveCredit}</option>
            <option value="remove">{operatorAccountsText.takeCreditAway}</option>
          </SelectField>
          <TextField
            label={operatorAccountsText.amountInUsd}
            inputMode="decimal"
            required
            placeholder="25.00"
            error={fields["amount"]}
            {...register("amount")}
          />
        </div>
        <TextField
          label={operatorAccountsText.whyOptional}
          maxLength={200}
          hint={operatorAccountsText.whyHint}
          error={fields["note"]}
          {...register("note")}
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {operatorAccountsText.changeCredit}
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface LimitValues {
  concurrencyMax: string;
  callsPerSecond: string;
  queuedMax: string;
}

const NAMED = ["concurrencyMax", "callsPerSecond", "queuedMax"];

/** An account's call limits. */
function AccountLimits({ account }: { readonly account: OperatorAccount }) {
  const { concurrencyMax, callsPerSecond, queuedMax } = account;
  const limits = { concurrencyMax, callsPerSecond, queuedMax };
  const { register, handleSubmit, formState } = useForm<LimitValues>({
    values: {
      concurrencyMax: String(concurrencyMax),
      callsPerSecond: String(callsPerSecond),
      queuedMax: String(queuedMax),
    },
  });
  const save = (body: typeof limits) => send(changeOperatorAccount, { params: { id: account.id }, body });
  const { run, isBusy, error, fields } = useEdit({
    run: (values: LimitValues) =>
      save({
        concurrencyMax: Number(values.concurrencyMax),
        callsPerSecond: Number(values.callsPerSecond),
        queuedMax: Number(values.queuedMax),
      }),
    changes: [operatorAccountKeys],
    message: ({ name }) => operatorAccountsText.limitsChanged(name),
    undo: () => save(limits),
    subject: () => `limits:${account.id}`,
  });
  return (
    <Card title={operatorAccountsText.limits}>
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        <TextField
          label={operatorAccountsText.callsAtOnce}
          inputMode="numeric"
          required
          hint={operatorAccountsText.callsAtOnceHint}
          error={fields["concurrencyMax"]}
          {...register("concurrencyMax")}
        />
        <TextField
          label={operatorAccountsText.newCallsASecond}
          inputMode="decimal"
          required
          error={fields["callsPerSecond"]}
          {...register("callsPerSecond")}
        />
        <TextField
          label={operatorAccountsText.callsWaiting}
          inputMode="numeric"
          required
          hint={operatorAccountsText.callsWaitingHint}
          error={fields["queuedMax"]}
          {...register("queuedMax")}
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={isBusy} disabled={!formState.isDirty}>
            {operatorAccountsText.saveLimits}
          </Button>
        </div>
      </form>
    </Card>
  );
}
