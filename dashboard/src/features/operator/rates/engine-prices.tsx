import type { EngineRate } from "@parley/contract/credits";
import { setEngineRate } from "@parley/contract/routes/operator";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { engineRatesQuery, rateKeys } from "./rate-queries.ts";

/** The price of a minute of each engine, in addition to the minute on the line. */
export function EnginePrices() {
  const engines = useQuery(engineRatesQuery);
  return (
    <Card title="Engines">
      <p className="text-sm text-ink-soft">A call costs the minute on the line and the minute of its engine.</p>
      {engines.error ? <Notice tone="danger">{errorText(engines.error)}</Notice> : null}
      {engines.isPending ? <SkeletonRows count={2} label="Fetching the prices" /> : null}
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
