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
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {isSearching ? <SkeletonRows count={4} label="Loading the account" /> : null}
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
  if (!own.data || !installation.data) return <SkeletonRows count={3} label="Loading the rules" />;
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
    message: ({ name, balance }) => `${name} now has ${formatUsd(balance)}.`,
    onDone: () => {
      setIdempotencyKey(randomKey());
      reset(EMPTY);
    },
  });
  return (
    <Card title="Credit">
      <p className="text-3xl font-semibold tracking-tight tabular-nums">{formatBalance(account.balance)}</p>
      <p className="mb-4 text-sm text-ink-soft">left to spend</p>
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={["change", "amount", "note"]} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="What to do" error={fields["change"]} {...register("change")}>
            <option value="add">Give credit</option>
            <option value="remove">Take credit away</option>
          </SelectField>
          <TextField
            label="Amount in USD"
            inputMode="decimal"
            required
            placeholder="25.00"
            error={fields["amount"]}
            {...register("amount")}
          />
        </div>
        <TextField
          label="Why (optional)"
          maxLength={200}
          hint="The account sees it in its ledger."
          error={fields["note"]}
          {...register("note")}
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={isBusy}>
            Change the credit
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
    message: ({ name }) => `The limits of ${name} were changed.`,
    undo: () => save(limits),
    subject: () => `limits of ${account.id}`,
  });
  return (
    <Card title="Limits">
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        <TextField
          label="Calls at once"
          inputMode="numeric"
          required
          hint="0 pauses the account: its calls wait."
          error={fields["concurrencyMax"]}
          {...register("concurrencyMax")}
        />
        <TextField
          label="New calls a second"
          inputMode="decimal"
          required
          error={fields["callsPerSecond"]}
          {...register("callsPerSecond")}
        />
        <TextField
          label="Calls waiting"
          inputMode="numeric"
          required
          hint="0 refuses every new call."
          error={fields["queuedMax"]}
          {...register("queuedMax")}
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={isBusy} disabled={!formState.isDirty}>
            Save the limits
          </Button>
        </div>
      </form>
    </Card>
  );
}
