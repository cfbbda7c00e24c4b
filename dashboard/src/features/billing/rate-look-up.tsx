import type { Rate } from "@parley/contract/credits";
import { getRate } from "@parley/contract/routes/account";
import { useMutation } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CONTROL } from "../../ui/control.ts";
import { Field } from "../../ui/field.tsx";
import { formatCountry, formatUsd } from "../../ui/format.ts";
import { readNumber } from "../suppressions/read-numbers.ts";

/** What a minute to a number costs. */
export function RateLookUp() {
  const [typed, setTyped] = useState("");
  const [mistake, setMistake] = useState<string | undefined>();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (phoneNumber: string) => send(getRate, { query: { phoneNumber } }),
  });
  const look = (event: FormEvent) => {
    event.preventDefault();
    const number = readNumber(typed);
    setMistake(number ? undefined : "Write the number with its country code, such as +49 30 1234567.");
    if (number) mutate(number);
  };
  return (
    <Card title="What a call costs">
      <form onSubmit={look} noValidate>
        <Field
          label="Phone number"
          hint="With its country code."
          error={mistake ?? (error ? inWords(error) : undefined)}
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
                Look up
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
          <span className="font-medium text-ink tabular-nums">{rate.phoneNumber}</span>
          {rate.country ? `, ${formatCountry(rate.country)}` : ""}: by the rate of numbers that begin with {rate.prefix}
        </caption>
        <thead className="text-left text-xs text-ink-soft">
          <tr className="border-b border-line">
            <th className="py-2 pr-4 font-medium">Engine</th>
            <th className="py-2 pr-4 text-right font-medium">The line</th>
            <th className="py-2 pr-4 text-right font-medium">The engine</th>
            <th className="py-2 text-right font-medium">Both, a minute</th>
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
