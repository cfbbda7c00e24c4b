import type { NewRouteRate } from "@parley/contract/credits";
import { importRouteRates } from "@parley/contract/routes/operator";
import { type ChangeEvent, useState } from "react";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Refused } from "../../ui/refused.tsx";
import { useEdit } from "../../ui/use-edit.ts";
import { rateKeys } from "./rate-queries.ts";
import { type PriceList, readPriceList } from "./read-price-list.ts";

const SHOWN_MAX = 5;

/** Takes a carrier's price list: shows what was understood, then sets all of it or nothing. */
export function ImportRatesDialog({ onClose }: { onClose(): void }) {
  const [list, setList] = useState<PriceList | null>(null);
  const { run, isBusy, error } = useEdit({
    run: (rates: readonly NewRouteRate[]) => send(importRouteRates, { body: { rates: [...rates] } }),
    changes: [rateKeys.routes],
    said: ({ added, changed, unchanged }) =>
      `${added} rates were added, ${changed} changed, ${unchanged} were so already.`,
    onDone: onClose,
  });
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    setList(file ? readPriceList(await file.text()) : null);
  };
  const canImport = list !== null && list.rates.length > 0 && list.mistakes.length === 0;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Import a price list"
      lead="A CSV file with a prefix, the price of a minute in USD and a description on each line. Rates of other prefixes stay."
    >
      <div className="space-y-4">
        <Refused error={error} />
        <Field label="File" hint="Columns may have names in the first line, and come in any order then.">
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              onChange={(event) => void choose(event)}
              className="block w-full text-sm file:mr-3 file:h-10 file:rounded-lg file:border-0 file:bg-sunken file:px-4 file:font-medium file:text-ink"
            />
          )}
        </Field>
        {list && list.mistakes.length > 0 ? (
          <Notice tone="danger">
            <p>The list cannot be taken as it is:</p>
            <ul className="mt-1 list-disc space-y-0.5 pl-4">
              {list.mistakes.map((mistake) => (
                <li key={mistake}>{mistake}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
        {list && list.mistakes.length === 0 && list.rates.length === 0 ? (
          <Notice tone="warning">There is no rate in this file.</Notice>
        ) : null}
        {canImport ? <Preview rates={list.rates} /> : null}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={!canImport}
          isBusy={isBusy}
          onClick={() => (list ? run(list.rates) : undefined)}
        >
          {canImport ? `Import ${list.rates.length} rates` : "Import"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Preview({ rates }: { readonly rates: readonly NewRouteRate[] }) {
  return (
    <div className="rounded-xl border border-line px-4 py-3 text-sm">
      <p className="font-medium">This is how it begins:</p>
      <table className="mt-2 w-full tabular-nums">
        <thead className="sr-only">
          <tr>
            <th>Prefix</th>
            <th>USD a minute</th>
            <th>Description</th>
          </tr>
        </thead>
        <tbody>
          {rates.slice(0, SHOWN_MAX).map(({ prefix, perMinute, description }) => (
            <tr key={prefix}>
              <td className="py-0.5 pr-4">{prefix}</td>
              <td className="py-0.5 pr-4">${perMinute}</td>
              <td className="py-0.5 break-words text-ink-soft">{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
