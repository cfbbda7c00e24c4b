import type { OperatorAccount } from "@parley/contract/accounts";
import { changeAccountCredit } from "@parley/contract/routes/members";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { freshKey } from "../../api/fresh-key.ts";
import { send } from "../../api/send.ts";
import { accountQuery } from "../../api/sign-in-state.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { formatBalance, formatUsd } from "../../ui/format.ts";
import { Refused } from "../../ui/refused.tsx";
import { useEdit } from "../../ui/use-edit.ts";
import { operatorAccountKeys } from "./account-queries.ts";

interface Values {
  change: "add" | "remove";
  amount: string;
  note: string;
}

const EMPTY: Values = { change: "add", amount: "", note: "" };

/** What an account has left, and the way to give it more. */
export function AccountCredit({ account }: { readonly account: OperatorAccount }) {
  const { register, handleSubmit, reset } = useForm<Values>({ defaultValues: EMPTY });
  // The same for every attempt at one change, so that a reply that got lost does not give twice.
  const [idempotencyKey, setIdempotencyKey] = useState(freshKey);
  const { run, isBusy, error, fields } = useEdit({
    run: ({ change, amount, note }: Values) =>
      send(changeAccountCredit, {
        params: { id: account.id },
        body: { change, amount: amount.trim().replace(/^\$/, ""), note },
        idempotencyKey,
      }),
    changes: [operatorAccountKeys, accountQuery.queryKey],
    said: ({ name, balance }) => `${name} now has ${formatUsd(balance)}.`,
    onDone: () => {
      setIdempotencyKey(freshKey());
      reset(EMPTY);
    },
  });
  return (
    <Card title="Credit">
      <p className="text-3xl font-semibold tracking-tight tabular-nums">{formatBalance(account.balance)}</p>
      <p className="mb-4 text-sm text-ink-soft">left to spend</p>
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <Refused error={error} named={["change", "amount", "note"]} />
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
