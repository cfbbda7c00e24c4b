import type { EngineRate, RouteRate } from "@parley/contract/credits";
import { removeRouteRate, setEngineRate, setRouteRate } from "@parley/contract/routes/operator";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil, Plus, SearchX, Trash2, Upload } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { ImportRatesDialog } from "./import-rates-dialog.tsx";
import { describeRate, engineRatesQuery, rateKeys, ratesQuery, readRateSearch } from "./rate-queries.ts";
import { ratesText } from "./text.ts";

const route = getRouteApi("/signed-in/operator/rates");

/** Operator > Rates: the price of a minute, by number prefix and by engine. */
export function RatesPage() {
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const { query, said } = readRateSearch(q);
  const rates = useInfiniteQuery(ratesQuery(query));
  const [open, setOpen] = useState<RouteRate | "new" | "import" | null>(null);
  const remove = useEdit({
    run: ({ prefix }: RouteRate) => send(removeRouteRate, { query: { prefix } }),
    changes: [rateKeys.routes],
    message: (_, { prefix }) => ratesText.rateRemoved(prefix),
    undo: (_, rate) => send(setRouteRate, { body: rate }),
    subject: (_, { prefix }) => `rate:${prefix}`,
  });
  const search = (text: string) => void navigate({ search: text.trim() ? { q: text.trim() } : {}, replace: true });
  return (
    <Page
      title={ratesText.rates}
      lead={ratesText.lead}
      actions={
        <>
          <Button onClick={() => setOpen("import")}>
            <Upload aria-hidden="true" />
            {ratesText.importCsv}
          </Button>
          <Button look="primary" onClick={() => setOpen("new")}>
            <Plus aria-hidden="true" />
            {ratesText.addRate}
          </Button>
        </>
      }
    >
      <div className="space-y-5">
        <FormError error={remove.error} />
        <Card title={said ?? ratesText.numbers} isFlush>
          <SearchBox text={q} onSearch={search} />
          <PagedList
            list={rates}
            label={ratesText.loadingRates}
            empty={
              <EmptyState
                icon={<SearchX />}
                title={ratesText.noMatch}
                text={ratesText.noMatchText}
                action={<Button onClick={() => search("")}>{ratesText.showAllRates}</Button>}
              />
            }
          >
            {(rows) => <RateTable rates={rows} onEdit={setOpen} onRemove={remove.run} />}
          </PagedList>
        </Card>
        <EnginePrices />
      </div>
      {open === "import" ? <ImportRatesDialog onClose={() => setOpen(null)} /> : null}
      {open !== null && open !== "import" ? (
        <RateDialog rate={open === "new" ? null : open} onClose={() => setOpen(null)} />
      ) : null}
    </Page>
  );
}

function SearchBox({ text, onSearch }: { readonly text: string; onSearch(text: string): void }) {
  const [typed, setTyped] = useState(text);
  const [searched, setSearched] = useState(text);
  // The search may also change through the URL. The field is kept mounted so that it keeps the focus.
  if (searched !== text) {
    setSearched(text);
    setTyped(text);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed);
  };
  return (
    <form className="flex gap-2 px-4 py-3 sm:px-5" onSubmit={submit}>
      <input
        type="search"
        aria-label={ratesText.searchLabel}
        placeholder={ratesText.searchExample}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={`${CONTROL} h-10`}
      />
      <Button type="submit">{ratesText.search}</Button>
    </form>
  );
}

interface RateTableProps {
  readonly rates: readonly RouteRate[];
  onEdit(rate: RouteRate): void;
  onRemove(rate: RouteRate): void;
}

function RateTable({ rates, onEdit, onRemove }: RateTableProps) {
  return (
    <table className="w-full table-fixed border-t border-line text-sm">
      <caption className="sr-only">{ratesText.ratesByPrefix}</caption>
      <thead className="bg-sunken/50 text-left text-xs text-ink-soft">
        <tr>
          <th className="px-4 py-2.5 font-medium sm:w-40 sm:px-5">{ratesText.prefix}</th>
          <th className="hidden px-2 py-2.5 font-medium sm:table-cell">{ratesText.what}</th>
          <th className="w-20 px-2 py-2.5 text-right font-medium sm:w-32">{ratesText.usdAMinute}</th>
          <th className="w-28 px-4 py-2.5">
            <span className="sr-only">{ratesText.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rates.map((rate) => (
          <tr key={rate.prefix}>
            <td className="px-4 py-1.5 font-medium tabular-nums sm:px-5">
              {rate.prefix === "+" ? ratesText.others : rate.prefix}
              <span className="block text-xs font-normal text-ink-soft sm:hidden">
                {describeRate(rate.description)}
              </span>
            </td>
            <td className="hidden truncate px-2 py-1.5 text-ink-soft sm:table-cell">
              {describeRate(rate.description)}
            </td>
            <td className="px-2 py-1.5 text-right tabular-nums">{rate.perMinute}</td>
            <td className="px-2 py-1.5 text-right whitespace-nowrap sm:px-3">
              <Button
                look="quiet"
                size="icon"
                aria-label={ratesText.changeRate(rate.prefix)}
                onClick={() => onEdit(rate)}
              >
                <Pencil aria-hidden="true" />
              </Button>
              <Button
                look="quiet"
                size="icon"
                aria-label={ratesText.removeRate(rate.prefix)}
                onClick={() => onRemove(rate)}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RateDialogProps {
  /** Null sets one for a new prefix. */
  readonly rate: RouteRate | null;
  onClose(): void;
}

const NAMED = ["prefix", "perMinute", "description"];

function RateDialog({ rate, onClose }: RateDialogProps) {
  const { register, handleSubmit } = useForm<RouteRate>({
    defaultValues: rate ?? { prefix: "", perMinute: "", description: "" },
  });
  const { run, isBusy, error, fields } = useEdit({
    run: ({ prefix, perMinute, description }: RouteRate) =>
      send(setRouteRate, {
        body: {
          prefix: `+${prefix.replaceAll(/[\s+().-]/g, "")}`,
          perMinute: perMinute.trim().replace(/^\$/, ""),
          description: description.trim(),
        },
      }),
    changes: [rateKeys.routes],
    message: ({ prefix, perMinute }) => ratesText.rateSaved(prefix, perMinute),
    ...(rate ? { undo: () => send(setRouteRate, { body: rate }) } : {}),
    subject: ({ prefix }) => `rate:${prefix}`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={rate ? ratesText.rateTitle(rate.prefix) : ratesText.addRate}
      lead={ratesText.rateLead}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        <TextField
          label={ratesText.numbersThatBeginWith}
          inputMode="tel"
          required
          placeholder="+4930"
          readOnly={rate !== null}
          error={fields["prefix"]}
          {...register("prefix")}
        />
        <TextField
          label={ratesText.usdAMinute}
          inputMode="decimal"
          required
          placeholder="0.012"
          error={fields["perMinute"]}
          {...register("perMinute")}
        />
        <TextField
          label={ratesText.descriptionOptional}
          maxLength={200}
          error={fields["description"]}
          {...register("description")}
        />
        <DialogActions>
          <Button onClick={onClose}>{ratesText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {ratesText.setRate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The price of a minute of each engine, in addition to the minute on the line. */
export function EnginePrices() {
  const engines = useQuery(engineRatesQuery);
  return (
    <Card title={ratesText.engines}>
      <p className="text-sm text-ink-soft">{ratesText.enginesLead}</p>
      {engines.error ? <Notice tone="danger">{errorText(engines.error)}</Notice> : null}
      {engines.isPending ? <SkeletonRows count={2} label={ratesText.loadingPrices} /> : null}
      <ul className="mt-3 divide-y divide-line">
        {engines.data?.map((rate) => (
          <EnginePrice key={`${rate.engine} ${rate.perMinute}`} rate={rate} />
        ))}
      </ul>
    </Card>
  );
}

function EnginePrice({ rate }: { readonly rate: EngineRate }) {
  const [typed, setTyped] = useState(rate.perMinute);
  const set = (perMinute: string) => send(setEngineRate, { body: { engine: rate.engine, perMinute } });
  const { run, isBusy, error, fields } = useEdit({
    run: set,
    changes: [rateKeys.engines],
    message: ({ engine, perMinute }) => ratesText.enginePriceSaved(engine, perMinute),
    undo: () => set(rate.perMinute),
    subject: ({ engine }) => `rate:${engine}`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(typed.trim().replace(/^\$/, ""));
  };
  return (
    <li className="py-3">
      <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
        <div className="min-w-0 flex-1 basis-40">
          <TextField
            label={ratesText.enginePrice(rate.engine)}
            inputMode="decimal"
            required
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={fields["perMinute"]}
          />
        </div>
        <Button
          type="submit"
          isBusy={isBusy}
          disabled={typed === rate.perMinute}
          aria-label={ratesText.saveEnginePrice(rate.engine)}
        >
          {ratesText.save}
        </Button>
      </form>
      <FormError error={error} named={["perMinute"]} />
    </li>
  );
}
