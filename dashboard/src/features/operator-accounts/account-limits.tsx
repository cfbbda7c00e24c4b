import type { OperatorAccount } from "@parley/contract/accounts";
import { changeOperatorAccount } from "@parley/contract/routes/members";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { Refused } from "../../ui/refused.tsx";
import { useEdit } from "../../ui/use-edit.ts";
import { operatorAccountKeys } from "./account-queries.ts";

interface Values {
  concurrencyMax: string;
  callsPerSecond: string;
  queuedMax: string;
}

const NAMED = ["concurrencyMax", "callsPerSecond", "queuedMax"];

/** How many calls an account may have. */
export function AccountLimits({ account }: { readonly account: OperatorAccount }) {
  const { concurrencyMax, callsPerSecond, queuedMax } = account;
  const limits = { concurrencyMax, callsPerSecond, queuedMax };
  const { register, handleSubmit, formState } = useForm<Values>({
    values: {
      concurrencyMax: String(concurrencyMax),
      callsPerSecond: String(callsPerSecond),
      queuedMax: String(queuedMax),
    },
  });
  const save = (body: typeof limits) => send(changeOperatorAccount, { params: { id: account.id }, body });
  const { run, isBusy, error, fields } = useEdit({
    run: (values: Values) =>
      save({
        concurrencyMax: Number(values.concurrencyMax),
        callsPerSecond: Number(values.callsPerSecond),
        queuedMax: Number(values.queuedMax),
      }),
    changes: [operatorAccountKeys],
    said: ({ name }) => `The limits of ${name} were changed.`,
    undo: () => save(limits),
    subject: () => `limits of ${account.id}`,
  });
  return (
    <Card title="Limits">
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <Refused error={error} named={NAMED} />
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
