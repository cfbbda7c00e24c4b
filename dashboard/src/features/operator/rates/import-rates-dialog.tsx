import { type NewRouteRate, RATES_AT_ONCE_MAX } from "@parley/contract/credits";
import { importRouteRates } from "@parley/contract/routes/operator";
import { type ChangeEvent, useState } from "react";
import { send } from "../../../api/send.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { rateKeys } from "./rate-queries.ts";
import { ratesText } from "./text.ts";

const SHOWN_MAX = 5;

/** Imports a carrier's price list: shows what was parsed, then sets all of it or nothing. */
export function ImportRatesDialog({ onClose }: { onClose(): void }) {
  const [list, setList] = useState<PriceList | null>(null);
  const { run, isBusy, error } = useEdit({
    run: (rates: readonly NewRouteRate[]) => send(importRouteRates, { body: { rates: [...rates] } }),
    changes: [rateKeys.routes],
    message: ({ added, changed, unchanged }) => ratesText.imported(added, changed, unchanged),
    onDone: onClose,
  });
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    setList(file ? readPriceList(await file.text()) : null);
  };
  const canImport = list !== null && list.rates.length > 0 && list.mistakes.length === 0;
  return (
    <Dialog isOpen onClose={onClose} title={ratesText.importTitle} lead={ratesText.importLead}>
      <div className="space-y-4">
        <FormError error={error} />
        <Field label={ratesText.file} hint={ratesText.fileHint}>
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
            <p>{ratesText.listRefused}</p>
            <ul className="mt-1 list-disc space-y-0.5 pl-4">
              {list.mistakes.map((mistake) => (
                <li key={mistake}>{mistake}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
        {list && list.mistakes.length === 0 && list.rates.length === 0 ? (
          <Notice tone="warning">{ratesText.emptyFile}</Notice>
        ) : null}
        {canImport ? <Preview rates={list.rates} /> : null}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{ratesText.cancel}</Button>
        <Button
          look="primary"
          disabled={!canImport}
          isBusy={isBusy}
          onClick={() => (list ? run(list.rates) : undefined)}
        >
          {canImport ? ratesText.importCount(list.rates.length) : ratesText.importLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Preview({ rates }: { readonly rates: readonly NewRouteRate[] }) {
  return (
    <div className="rounded-xl border border-line px-4 py-3 text-sm">
      <p className="font-medium">{ratesText.preview}</p>
      <table className="mt-2 w-full tabular-nums">
        <thead className="sr-only">
          <tr>
            <th>{ratesText.prefix}</th>
            <th>{ratesText.usdAMinute}</th>
            <th>{ratesText.description}</th>
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

interface PriceList {
  readonly rates: readonly NewRouteRate[];
  /** The mistakes, each with its line. */
  readonly mistakes: readonly string[];
}

const MISTAKES_MAX = 5;
const NAMES = {
  prefix: ["prefix", "code", "dialcode", "dialingcode", "destinationcode"],
  perMinute: ["perminute", "rate", "price", "pricepermin", "priceperminute", "usd", "usdaminute"],
  description: ["description", "destination", "name", "country", "what"],
};

/**
 * Parses a carrier's price list: lines of prefix, price and description, separated by commas, semicolons or tabs. A
 * header line defines the columns; without one they are in this order.
 */
export function readPriceList(text: string): PriceList {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const separator = [";", "\t", ","].find((one) => lines[0]?.includes(one)) ?? ",";
  const rows = lines.map((line, index) => ({ line: index + 1, cells: splitLine(line, separator) }));
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const head = findColumns(filled[0]?.cells ?? []);
  const body = head ? filled.slice(1) : filled;
  const columns = head ?? { prefix: 0, perMinute: 1, description: 2 };
  const rates = new Map<string, NewRouteRate>();
  const mistakes: string[] = [];
  for (const { line, cells } of body) {
    const prefix = `+${(cells[columns.prefix] ?? "").replaceAll(/[\s+()-]/g, "")}`;
    const price = (cells[columns.perMinute] ?? "").replace(/^\$/, "");
    // A decimal comma can only be recognized where the separator is a different character.
    const perMinute = separator === "," ? price : price.replace(",", ".");
    if (!/^\+\d{1,15}$/.test(prefix)) mistakes.push(ratesText.noPrefix(line, cells[columns.prefix] ?? ""));
    else if (!/^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/.test(perMinute))
      mistakes.push(ratesText.noPrice(line, cells[columns.perMinute] ?? ""));
    else if (rates.has(prefix)) mistakes.push(ratesText.twice(line, prefix));
    else rates.set(prefix, { prefix, perMinute, description: (cells[columns.description] ?? "").slice(0, 200) });
  }
  if (rates.size > RATES_AT_ONCE_MAX) mistakes.push(ratesText.tooMany(rates.size, RATES_AT_ONCE_MAX));
  return { rates: [...rates.values()], mistakes: shorten(mistakes) };
}

function findColumns(cells: readonly string[]): Record<keyof typeof NAMES, number> | null {
  const words = cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ""));
  const find = (names: readonly string[]) => words.findIndex((word) => names.includes(word));
  const columns = {
    prefix: find(NAMES.prefix),
    perMinute: find(NAMES.perMinute),
    description: find(NAMES.description),
  };
  return columns.prefix < 0 || columns.perMinute < 0 ? null : columns;
}

/** RFC 4180 section 2: a field in quotes may hold the separator, and a quote by writing it twice. */
function splitLine(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const sign = line[index];
    if (sign === '"' && isQuoted && line[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}

function shorten(mistakes: readonly string[]): readonly string[] {
  if (mistakes.length <= MISTAKES_MAX) return mistakes;
  return [...mistakes.slice(0, MISTAKES_MAX), ratesText.moreMistakes(mistakes.length - MISTAKES_MAX)];
}
