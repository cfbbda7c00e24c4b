import { UsdInput } from "@parley/contract/money";
import type { Settings } from "@parley/contract/settings";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Field } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { useIsOwner } from "../for-owners.tsx";
import { settingsQuery, useSaveSettings } from "../use-save-settings.ts";

/** The spending caps. Only owners set them. */
export function SpendCaps() {
  return useIsOwner() ? <Caps /> : null;
}

function Caps() {
  const { data: settings, error } = useQuery(settingsQuery);
  return (
    <Card title="Caps and warnings">
      {error && !settings ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {!settings && !error ? <SkeletonRows count={2} label="Fetching the caps" /> : null}
      {settings ? (
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <AmountSetting
            name="dailySpendCap"
            label="All calls of a day"
            hint="Further calls are refused, and live ones end politely, when a day (UTC) has cost so much. Empty: no cap."
            settings={settings}
          />
          <AmountSetting
            name="callSpendCap"
            label="One call"
            hint="A call that has cost so much ends politely. Empty: no cap."
            settings={settings}
          />
          <AmountSetting
            name="destinationSpendCap"
            label="One number in a day"
            hint="Protects from a number that is called again and again. Empty: no cap."
            settings={settings}
          />
          <AmountSetting
            name="creditLowAt"
            label="Warn when the credit falls below"
            hint="The webhook credit.low is sent once, and again after a top-up."
            settings={settings}
            isNeeded
          />
        </div>
      ) : null}
    </Card>
  );
}

type AmountName = "dailySpendCap" | "callSpendCap" | "destinationSpendCap" | "creditLowAt";

interface AmountSettingProps {
  readonly name: AmountName;
  readonly label: string;
  readonly hint: string;
  readonly settings: Settings;
  /** If an amount is required. */
  readonly isNeeded?: boolean;
}

/** An amount in USD with its own save button. Empty means no cap. */
function AmountSetting({ name, label, hint, settings, isNeeded = false }: AmountSettingProps) {
  // Null while nothing was typed: then the saved value is shown, even when it changes elsewhere.
  const [typed, setTyped] = useState<string | null>(null);
  const { mutate, isPending, error } = useSaveSettings();
  const saved = settings[name] ?? "";
  const amount = (typed ?? saved).trim().replace(/^\$/, "");
  const mistake = typed === null ? undefined : mistakeIn(amount, isNeeded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake || amount === saved) return;
    mutate(
      {
        change: { [name]: amount === "" ? null : amount },
        message: `${label}: ${amount === "" ? "none" : `$${amount}`}.`,
      },
      { onSuccess: () => setTyped((now) => (now === typed ? null : now)) },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Field label={label} hint={hint} error={mistake ?? (error ? errorText(error) : undefined)}>
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
