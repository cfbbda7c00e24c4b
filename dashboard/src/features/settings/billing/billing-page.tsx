import type { Rate } from "@parley/contract/credits";
import { UsdInput } from "@parley/contract/money";
import { getRate } from "@parley/contract/routes/account";
import type { Settings } from "@parley/contract/settings";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { accountQuery } from "../../../api/sign-in-state.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Skeleton, SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatBalance, formatCountry, formatUsd } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Field } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { useIsOwner } from "../for-owners.tsx";
import { readNumber } from "../suppressions/read-numbers.ts";
import { settingsQuery, useSaveSettings } from "../use-save-settings.ts";
import { Ledger } from "./ledger.tsx";
import { billingText } from "./text.tsx";

/** Settings > Billing: the balance, what calls cost, and the spending caps. */
export function BillingPage() {
  return (
    <Page title={billingText.billing} lead={billingText.lead}>
      <div className="space-y-6">
        <Standing />
        <Link
          to="/usage"
          search={{ measure: "cost", by: "day" }}
          className="inline-block text-sm text-accent-text underline underline-offset-2"
        >
          {billingText.costByDay}
        </Link>
        <RateLookUp />
        <SpendCaps />
        <Ledger />
      </div>
    </Page>
  );
}

/** The state of the account: available credit, reserved credit, today's cost. */
function Standing() {
  const { data, error } = useQuery(accountQuery);
  if (error && !data) return <Notice tone="danger">{errorText(error)}</Notice>;
  const cap = data?.limits.dailySpendCap;
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      <Figure name={billingText.leftToSpend} note={billingText.leftToSpendNote}>
        {data ? formatBalance(data.balance) : null}
      </Figure>
      <Figure name={billingText.reserved} note={billingText.reservedNote}>
        {data ? formatShort(data.held) : null}
      </Figure>
      <Figure
        name={billingText.spentToday}
        note={cap ? billingText.ofDailyCap(formatUsd(cap)) : billingText.noDailyCap}
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

/** The price of a minute to a number. */
function RateLookUp() {
  const [typed, setTyped] = useState("");
  const [mistake, setMistake] = useState<string | undefined>();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (phoneNumber: string) => send(getRate, { query: { phoneNumber } }),
  });
  const look = (event: FormEvent) => {
    event.preventDefault();
    const number = readNumber(typed);
    setMistake(number ? undefined : billingText.numberMistake);
    if (number) mutate(number);
  };
  return (
    <Card title={billingText.whatACallCosts}>
      <form onSubmit={look} noValidate>
        <Field
          label={billingText.phoneNumber}
          hint={billingText.withItsCountryCode}
          error={mistake ?? (error ? errorText(error) : undefined)}
        >
          {(control) => (
            <span className="flex gap-2 sm:max-w-md">
              <input
                {...control}
                type="tel"
                autoComplete="off"
                placeholder="+49 30 1234567"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                className={`${CONTROL} h-10`}
              />
              <Button type="submit" isBusy={isPending}>
                <Search aria-hidden="true" />
                {billingText.lookUp}
              </Button>
            </span>
          )}
        </Field>
      </form>
      <div role="status">{data ? <Prices rate={data} /> : null}</div>
    </Card>
  );
}

function Prices({ rate }: { readonly rate: Rate }) {
  return (
    <div className="mt-5 overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="pb-2 text-left text-ink-soft">
          {billingText.rateOf(
            <span className="font-medium text-ink tabular-nums">{rate.phoneNumber}</span>,
            rate.country ? formatCountry(rate.country) : null,
            rate.prefix,
          )}
        </caption>
        <thead className="text-left text-xs text-ink-soft">
          <tr className="border-b border-line">
            <th className="py-2 pr-4 font-medium">{billingText.engine}</th>
            <th className="py-2 pr-4 text-right font-medium">{billingText.theLine}</th>
            <th className="py-2 pr-4 text-right font-medium">{billingText.theEngine}</th>
            <th className="py-2 text-right font-medium">{billingText.bothAMinute}</th>
          </tr>
        </thead>
        <tbody>
          {rate.engines.map(({ engine, perMinute, totalPerMinute }) => (
            <tr key={engine} className="border-b border-line tabular-nums last:border-0">
              <th className="py-2.5 pr-4 text-left font-medium">{engine}</th>
              <td className="py-2.5 pr-4 text-right text-ink-soft">{formatUsd(rate.routePerMinute)}</td>
              <td className="py-2.5 pr-4 text-right text-ink-soft">{formatUsd(perMinute)}</td>
              <td className="py-2.5 text-right font-medium">{formatUsd(totalPerMinute)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The spending caps. Only owners set them. */
export function SpendCaps() {
  return useIsOwner() ? <Caps /> : null;
}

function Caps() {
  const { data: settings, error } = useQuery(settingsQuery);
  return (
    <Card title={billingText.capsAndWarnings}>
      {error && !settings ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {!settings && !error ? <SkeletonRows count={2} label={billingText.loadingCaps} /> : null}
      {settings ? (
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <AmountSetting
            name="dailySpendCap"
            label={billingText.allCallsInADay}
            hint={billingText.allCallsInADayHint}
            settings={settings}
          />
          <AmountSetting
            name="callSpendCap"
            label={billingText.oneCall}
            hint={billingText.oneCallHint}
            settings={settings}
          />
          <AmountSetting
            name="destinationSpendCap"
            label={billingText.oneNumberInADay}
            hint={billingText.oneNumberInADayHint}
            settings={settings}
          />
          <AmountSetting
            name="creditLowAt"
            label={billingText.creditLow}
            hint={billingText.creditLowHint}
            settings={settings}
            isNeeded
          />
        </div>
      ) : null}
    </Card>
  );
}

type AmountName = "dailySpendCap" | "callSpendCap" | "destinationSpendCap" | "creditLowAt";

interface AmountSettingProps {
  readonly name: AmountName;
  readonly label: string;
  readonly hint: string;
  readonly settings: Settings;
  /** If an amount is required. */
  readonly isNeeded?: boolean;
}

/** An amount in USD with its own save button. Empty means no cap. */
function AmountSetting({ name, label, hint, settings, isNeeded = false }: AmountSettingProps) {
  // Null while nothing was typed: then the saved value is shown, even when it changes elsewhere.
  const [typed, setTyped] = useState<string | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const saved = settings[name] ?? "";
  const amount = (typed ?? saved).trim().replace(/^\$/, "");
  const mistake = typed === null ? undefined : mistakeIn(amount, isNeeded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake || amount === saved) return;
    mutate(
      {
        change: { [name]: amount === "" ? null : amount },
        message: billingText.amountSaved(label, amount === "" ? null : `$${amount}`),
      },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Field label={label} hint={hint} error={mistake ?? (error ? errorText(error) : undefined)}>
        {(control) => (
          <span className="flex gap-2">
            <span className="relative block min-w-0 flex-1">
              <span aria-hidden="true" className="pointer-events-none absolute top-2 left-3 text-ink-soft">
                $
              </span>
              <input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                placeholder={isNeeded ? "0.00" : billingText.noCap}
                value={typed ?? saved}
                onChange={(event) => setTyped(event.target.value)}
                className={`${CONTROL} h-10 pl-7 tabular-nums`}
              />
            </span>
            <Button
              type="submit"
              isBusy={isPending}
              disabled={typed === null || amount === saved || mistake !== undefined}
              aria-label={billingText.saveAmount(label)}
            >
              {billingText.save}
            </Button>
          </span>
        )}
      </Field>
    </form>
  );
}

function mistakeIn(amount: string, isNeeded: boolean): string | undefined {
  if (amount === "") return isNeeded ? billingText.amountNeeded : undefined;
  return UsdInput.safeParse(amount).success ? undefined : billingText.amountMistake;
}
