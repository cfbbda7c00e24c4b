import { UsdInput } from "@parley/contract/money";
import type { Settings } from "@parley/contract/settings";
import { type FormEvent, useState } from "react";
import { inWords } from "../../api/refusal.ts";
import { Button } from "../../ui/button.tsx";
import { CONTROL } from "../../ui/control.ts";
import { Field } from "../../ui/field.tsx";
import { useSaveSettings } from "./use-save-settings.ts";

type AmountName = "dailySpendCap" | "callSpendCap" | "destinationSpendCap" | "creditLowAt";

interface AmountSettingProps {
  readonly name: AmountName;
  readonly label: string;
  readonly hint: string;
  readonly settings: Settings;
  /** Where there must be an amount. */
  readonly isNeeded?: boolean;
}

/** An amount in USD that is saved by itself. Left empty it is no cap at all. */
export function AmountSetting({ name, label, hint, settings, isNeeded = false }: AmountSettingProps) {
  // Null while nothing was typed: then what is saved is shown, also when it changes elsewhere.
  const [typed, setTyped] = useState<string | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const saved = settings[name] ?? "";
  const amount = (typed ?? saved).trim().replace(/^\$/, "");
  const mistake = typed === null ? undefined : mistakeIn(amount, isNeeded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake || amount === saved) return;
    mutate(
      { wish: { [name]: amount === "" ? null : amount }, said: `${label}: ${amount === "" ? "none" : `$${amount}`}.` },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Field label={label} hint={hint} error={mistake ?? (error ? inWords(error) : undefined)}>
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
                placeholder={isNeeded ? "0.00" : "No cap"}
                value={typed ?? saved}
                onChange={(event) => setTyped(event.target.value)}
                className={`${CONTROL} h-10 pl-7 tabular-nums`}
              />
            </span>
            <Button
              type="submit"
              isBusy={isPending}
              disabled={typed === null || amount === saved || mistake !== undefined}
              aria-label={`Save: ${label}`}
            >
              Save
            </Button>
          </span>
        )}
      </Field>
    </form>
  );
}

function mistakeIn(amount: string, isNeeded: boolean): string | undefined {
  if (amount === "") return isNeeded ? "An amount is needed, such as 2.50." : undefined;
  return UsdInput.safeParse(amount).success ? undefined : "Write an amount such as 5.00, with a point.";
}
