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
    message: (_, { prefix }) => `${prefix} has no rate of its own any more.`,
    undo: (_, rate) => send(setRouteRate, { body: rate }),
    subject: (_, { prefix }) => `rate of ${prefix}`,
  });
  const search = (text: string) => void navigate({ search: text.trim() ? { q: text.trim() } : {}, replace: true });
  return (
    <Page
      title="Rates"
      lead="What a minute costs your accounts. The longest prefix that fits a number counts."
      actions={
        <>
          <Button onClick={() => setOpen("import")}>
            <Upload aria-hidden="true" />
            Import CSV
          </Button>
          <Button look="primary" onClick={() => setOpen("new")}>
            <Plus aria-hidden="true" />
            Add a rate
          </Button>
        </>
      }
    >
      <div className="space-y-5">
        <FormError error={remove.error} />
        <Card title={said ?? "Numbers"} isFlush>
          <SearchBox text={q} onSearch={search} />
          <PagedList
            list={rates}
            label="Loading the rates"
            empty={
              <EmptyState
                icon={<SearchX />}
                title="No rate is like this"
                text="Look for the beginning of a number, a country, or words of a description."
                action={<Button onClick={() => search("")}>Show all rates</Button>}
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
        aria-label="A country or the beginning of a number"
        placeholder="Germany, +4930, …"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={`${CONTROL} h-10`}
      />
      <Button type="submit">Search</Button>
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
      <caption className="sr-only">Rates by prefix</caption>
      <thead className="bg-sunken/50 text-left text-xs text-ink-soft">
        <tr>
          <th className="px-4 py-2.5 font-medium sm:w-40 sm:px-5">Prefix</th>
          <th className="hidden px-2 py-2.5 font-medium sm:table-cell">What</th>
          <th className="w-20 px-2 py-2.5 text-right font-medium sm:w-32">USD a minute</th>
          <th className="w-28 px-4 py-2.5">
            <span className="sr-only">What can be done</span>
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rates.map((rate) => (
          <tr key={rate.prefix}>
            <td className="px-4 py-1.5 font-medium tabular-nums sm:px-5">
              {rate.prefix === "+" ? "Others" : rate.prefix}
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
                aria-label={`Change the rate of ${rate.prefix}`}
                onClick={() => onEdit(rate)}
              >
                <Pencil aria-hidden="true" />
              </Button>
              <Button
                look="quiet"
                size="icon"
                aria-label={`Remove the rate of ${rate.prefix}`}
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
    message: ({ prefix, perMinute }) => `A minute to ${prefix} costs $${perMinute} from now on.`,
    ...(rate ? { undo: () => send(setRouteRate, { body: rate }) } : {}),
    subject: ({ prefix }) => `rate of ${prefix}`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={rate ? `The rate of ${rate.prefix}` : "Add a rate"}
      lead="Calls that were accepted already keep their price."
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        <TextField
          label="Numbers that begin with"
          inputMode="tel"
          required
          placeholder="+4930"
          readOnly={rate !== null}
          error={fields["prefix"]}
          {...register("prefix")}
        />
        <TextField
          label="USD a minute"
          inputMode="decimal"
          required
          placeholder="0.012"
          error={fields["perMinute"]}
          {...register("perMinute")}
        />
        <TextField
          label="Description (optional)"
          maxLength={200}
          error={fields["description"]}
          {...register("description")}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Set the rate
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
    <Card title="Engines">
      <p className="text-sm text-ink-soft">A call costs the minute on the line and the minute of its engine.</p>
      {engines.error ? <Notice tone="danger">{errorText(engines.error)}</Notice> : null}
      {engines.isPending ? <SkeletonRows count={2} label="Loading the prices" /> : null}
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
    message: ({ engine, perMinute }) => `A minute of ${engine} costs $${perMinute} from now on.`,
    undo: () => set(rate.perMinute),
    subject: ({ engine }) => `rate of ${engine}`,
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
            label={`${rate.engine}, USD a minute`}
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
          aria-label={`Save the price of ${rate.engine}`}
        >
          Save
        </Button>
      </form>
      <FormError error={error} named={["perMinute"]} />
    </li>
  );
}
