import type { BilledUnit, NewProviderRate, ProviderRate } from "@parley/contract/engines";
import type { Provider } from "@parley/contract/providers";
import { listProviderRates, setProviderRate } from "@parley/contract/routes/operator";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { providerTitle } from "./provider-title.ts";
import { operatorProvidersText } from "./text.tsx";

const providerRatesQuery = queryOptions({
  queryKey: ["provider-rates"],
  queryFn: ({ signal }) => send(listProviderRates, { signal }),
});

/** Something that a provider charges for, and its price where an operator has set it. */
interface RateLine extends BilledUnit {
  readonly title: string;
  readonly price: string | null;
}

/** What providers charge the operator, by which each call says what its parts cost. */
export function ProviderRates({ providers }: { readonly providers: readonly Provider[] }) {
  const rates = useQuery(providerRatesQuery);
  const [edited, setEdited] = useState<RateLine | null>(null);
  const lines = rates.data ? rateLines(providers, rates.data) : [];
  if (rates.data && lines.length === 0) return null;
  return (
    <Card title={operatorProvidersText.rates} isFlush>
      <p className="px-4 text-sm text-ink-soft sm:px-5">{operatorProvidersText.ratesLead}</p>
      {rates.error ? <Notice tone="danger">{errorText(rates.error)}</Notice> : null}
      {rates.isPending ? <SkeletonRows count={3} label={operatorProvidersText.loadingRates} /> : null}
      {lines.length > 0 ? <RateTable lines={lines} onEdit={setEdited} /> : null}
      {edited ? <RateDialog line={edited} onClose={() => setEdited(null)} /> : null}
    </Card>
  );
}

interface RateTableProps {
  readonly lines: readonly RateLine[];
  onEdit(line: RateLine): void;
}

function RateTable({ lines, onEdit }: RateTableProps) {
  return (
    <table className="mt-3 w-full border-t border-line text-sm">
      <caption className="sr-only">{operatorProvidersText.rates}</caption>
      <thead className="bg-sunken/50 text-left text-xs text-ink-soft">
        <tr>
          <th scope="col" className="px-4 py-2.5 font-medium sm:px-5">
            {operatorProvidersText.provider}
          </th>
          <th scope="col" className="px-2 py-2.5 font-medium">
            {operatorProvidersText.unit}
          </th>
          <th scope="col" className="px-2 py-2.5 text-right font-medium">
            {operatorProvidersText.priceInUsd}
          </th>
          <th scope="col" className="w-14 px-4 py-2.5">
            <span className="sr-only">{operatorProvidersText.change}</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {lines.map((line) => (
          <tr key={keyOf(line)}>
            <th scope="row" className="px-4 py-1.5 text-left font-medium break-words sm:px-5">
              {line.title}
            </th>
            <td className="px-2 py-1.5 text-ink-soft">{operatorProvidersText.units[line.unit]}</td>
            <td className="px-2 py-1.5 text-right tabular-nums">{line.price ?? operatorProvidersText.noRate}</td>
            <td className="px-2 py-1.5 text-right sm:px-3">
              <Button
                look="quiet"
                size="icon"
                aria-label={operatorProvidersText.changeRate(line.title, operatorProvidersText.units[line.unit])}
                onClick={() => onEdit(line)}
              >
                <Pencil aria-hidden="true" />
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RateDialog({ line, onClose }: { readonly line: RateLine; onClose(): void }) {
  const { title, provider, unit, price } = line;
  const { register, handleSubmit } = useForm({ defaultValues: { price: price ?? "" } });
  const set = (body: NewProviderRate) => send(setProviderRate, { body });
  const { run, isBusy, error, fields } = useEdit({
    run: ({ price: typed }: { readonly price: string }) => {
      const usd = typed.trim().replace(/^\$/, "");
      return set({ provider, unit, price: usd === "" ? null : usd });
    },
    changes: [providerRatesQuery.queryKey],
    message: () => operatorProvidersText.rateSaved(title),
    undo: () => set({ provider, unit, price }),
    subject: () => `provider-rate:${keyOf(line)}`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={operatorProvidersText.rateTitle(title)}
      lead={operatorProvidersText.rateLead}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={["price"]} />
        <TextField
          label={operatorProvidersText.usdPer(operatorProvidersText.units[unit])}
          inputMode="decimal"
          placeholder="0.0043"
          hint={operatorProvidersText.emptyRateHint}
          error={fields["price"]}
          {...register("price")}
        />
        <DialogActions>
          <Button onClick={onClose}>{operatorProvidersText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {operatorProvidersText.saveRate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Everything that connected providers charge for, and then the rates of others, which old calls were priced by. */
function rateLines(providers: readonly Provider[], rates: readonly ProviderRate[]): RateLine[] {
  const billed = providers.filter(({ source }) => source !== null).flatMap(({ billedUnits }) => billedUnits);
  const shown = new Set(billed.map(keyOf));
  const others = rates.filter((rate) => !shown.has(keyOf(rate)));
  return [...billed, ...others].map(({ provider, unit }) => ({
    provider,
    unit,
    title: titleOf(provider, providers),
    price: rates.find((rate) => rate.provider === provider && rate.unit === unit)?.price ?? null,
  }));
}

/** A model that hears and speaks is a part of its own, and is called as engines call it. */
function titleOf(name: string, providers: readonly Provider[]): string {
  const provider = providers.find((each) => each.name === name);
  return provider ? providerTitle(provider) : name;
}

function keyOf({ provider, unit }: BilledUnit): string {
  return `${provider} ${unit}`;
}
