import type { GateRules, GateRulesChanges } from "@parley/contract/gate";
import { changeAccountGate, changeGate, getAccountGate, getGate } from "@parley/contract/routes/operator";
import { queryOptions } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { send } from "../../../api/send.ts";
import { findCountry } from "../../../ui/country.ts";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { gateText } from "./text.ts";

interface GateRulesFormProps {
  readonly rules: GateRules;
  /**
   * The account whose own rules they are, with the defaults that apply otherwise; omitted, they are the installation's.
   */
  readonly of?: { readonly accountId: string; readonly otherwise: GateRules };
}

const NAMED = [
  "ratePerMinuteMax",
  "callsPerNumberAndDay",
  "callsPerRangeAndHour",
  "callsPerCountryAndHour",
  "mayIgnoreCallingHours",
  "callingHours",
  "callingHours.start",
  "callingHours.end",
];

/** Who may be called on trunks. Nothing typed here is lost when it is refused. */
export function GateRulesForm({ rules, of }: GateRulesFormProps) {
  const { register, handleSubmit, watch, formState } = useForm<GateForm>({ values: toGateForm(rules) });
  const save = (changes: ReturnType<typeof readGateForm>) =>
    of ? send(changeAccountGate, { params: { id: of.accountId }, body: changes }) : send(changeGate, { body: changes });
  const { run, isBusy, error, fields } = useEdit({
    run: (form: GateForm) => save(readGateForm(form)),
    changes: [gateKeys.all],
    message: () => gateText.saved,
    undo: () => {
      const { shutOutByCap: _found, ...before } = rules;
      return save(before);
    },
    subject: () => `gate:${of?.accountId ?? "all"}`,
  });
  const otherwise = of ? toGateForm(of.otherwise) : null;
  const hint = (name: keyof GateForm) =>
    of ? gateText.emptyAsInstallation(otherwise?.[name] || null) : gateText.emptyNoLimit;
  const { codes, unknown } = readCountries(watch("countries"));
  return (
    <form className="space-y-5" onSubmit={handleSubmit((form) => run(form))}>
      <FormError error={error} named={NAMED} />
      <Card title={gateText.countriesAndPrices}>
        <div className="space-y-4">
          <TextAreaField
            label={gateText.onlyTheseCountries}
            rows={2}
            placeholder={otherwise?.countries || gateText.everyCountry}
            hint={
              codes.length > 0
                ? codes.map((code) => findCountry(code)?.name ?? code).join(", ")
                : gateText.countriesHint
            }
            error={unknown.length > 0 ? gateText.unknownCountries(unknown.join(", ")) : undefined}
            {...register("countries")}
          />
          <TextField
            label={gateText.ratePerMinuteMax}
            inputMode="decimal"
            hint={hint("ratePerMinuteMax")}
            error={fields["ratePerMinuteMax"]}
            {...register("ratePerMinuteMax")}
          />
          <ShutOut rules={rules} />
        </div>
      </Card>
      <Card title={gateText.howOften}>
        <p className="mb-3 text-sm text-ink-soft">{gateText.rangeMeaning}</p>
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label={gateText.callsPerNumber}
            inputMode="numeric"
            hint={hint("callsPerNumberAndDay")}
            error={fields["callsPerNumberAndDay"]}
            {...register("callsPerNumberAndDay")}
          />
          <TextField
            label={gateText.callsPerRange}
            inputMode="numeric"
            hint={hint("callsPerRangeAndHour")}
            error={fields["callsPerRangeAndHour"]}
            {...register("callsPerRangeAndHour")}
          />
          <TextField
            label={gateText.callsPerCountry}
            inputMode="numeric"
            hint={hint("callsPerCountryAndHour")}
            error={fields["callsPerCountryAndHour"]}
            {...register("callsPerCountryAndHour")}
          />
        </div>
      </Card>
      <Card title={gateText.when}>
        <p className="mb-3 text-sm text-ink-soft">{gateText.whenLead}</p>
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label={gateText.notBefore}
            type="time"
            hint={hint("hoursStart")}
            error={fields["callingHours.start"] ?? fields["callingHours"]}
            {...register("hoursStart")}
          />
          <TextField
            label={gateText.notAfter}
            type="time"
            hint={hint("hoursEnd")}
            error={fields["callingHours.end"]}
            {...register("hoursEnd")}
          />
          <SelectField
            label={gateText.mayIgnoreHours}
            error={fields["mayIgnoreCallingHours"]}
            {...register("mayIgnoreCallingHours")}
          >
            <option value="">
              {of ? gateText.asInstallation(otherwise?.mayIgnoreCallingHours || null) : gateText.noRule}
            </option>
            <option value="yes">{gateText.yesIfAsked}</option>
            <option value="no">{gateText.no}</option>
          </SelectField>
        </div>
      </Card>
      <div className="flex justify-end">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!formState.isDirty || unknown.length > 0}>
          {gateText.saveRules}
        </Button>
      </div>
    </form>
  );
}

/** Which countries the saved price cap excludes. */
function ShutOut({ rules: { shutOutByCap } }: { readonly rules: GateRules }) {
  const { countries, partly } = shutOutByCap;
  if (countries.length + partly.length === 0) return null;
  return (
    <Notice tone="warning">
      {countries.length > 0 ? <p>{gateText.shutOut(namesOf(countries))}</p> : null}
      {partly.length > 0 ? <p>{gateText.partlyShutOut(namesOf(partly))}</p> : null}
    </Notice>
  );
}

function namesOf(codes: readonly string[]): string {
  return codes.map((code) => findCountry(code)?.name ?? code).join(", ");
}

/** The form values. An empty one is no rule, or for an account the installation's. */
interface GateForm {
  countries: string;
  ratePerMinuteMax: string;
  callsPerNumberAndDay: string;
  callsPerRangeAndHour: string;
  callsPerCountryAndHour: string;
  hoursStart: string;
  hoursEnd: string;
  mayIgnoreCallingHours: "" | "yes" | "no";
}

export function toGateForm(rules: Omit<GateRules, "shutOutByCap">): GateForm {
  const text = (value: number | string | null) => (value === null ? "" : String(value));
  return {
    countries: rules.countries?.join(", ") ?? "",
    ratePerMinuteMax: text(rules.ratePerMinuteMax),
    callsPerNumberAndDay: text(rules.callsPerNumberAndDay),
    callsPerRangeAndHour: text(rules.callsPerRangeAndHour),
    callsPerCountryAndHour: text(rules.callsPerCountryAndHour),
    hoursStart: rules.callingHours?.start ?? "",
    hoursEnd: rules.callingHours?.end ?? "",
    mayIgnoreCallingHours: rules.mayIgnoreCallingHours === null ? "" : rules.mayIgnoreCallingHours ? "yes" : "no",
  };
}

interface ReadCountries {
  readonly codes: readonly string[];
  readonly unknown: readonly string[];
}

/** Parses countries by code or by name, separated by commas or line breaks. */
export function readCountries(text: string): ReadCountries {
  const words = text
    .split(/[,;\n]+/)
    .map((word) => word.trim())
    .filter(Boolean);
  const found = words.map((word) => ({ word, country: findCountry(word) }));
  return {
    codes: [...new Set(found.flatMap(({ country }) => country?.code ?? []))],
    unknown: found.filter(({ country }) => country === null).map(({ word }) => word),
  };
}

/** The request: all rules, so that emptied ones are lifted. */
export function readGateForm(form: GateForm): GateRulesChanges {
  const number = (text: string) => (text.trim() === "" ? null : Number(text));
  const { codes } = readCountries(form.countries);
  const hasHours = form.hoursStart !== "" || form.hoursEnd !== "";
  return {
    countries: codes.length === 0 ? null : [...codes],
    ratePerMinuteMax: form.ratePerMinuteMax.trim().replace(/^\$/, "") || null,
    callsPerNumberAndDay: number(form.callsPerNumberAndDay),
    callsPerRangeAndHour: number(form.callsPerRangeAndHour),
    callsPerCountryAndHour: number(form.callsPerCountryAndHour),
    callingHours: hasHours ? { start: form.hoursStart, end: form.hoursEnd } : null,
    mayIgnoreCallingHours: form.mayIgnoreCallingHours === "" ? null : form.mayIgnoreCallingHours === "yes",
  };
}

const gateKeys = { all: ["gate"] as const };

export const gateQuery = queryOptions({
  queryKey: [...gateKeys.all, "installation"],
  queryFn: ({ signal }) => send(getGate, { signal }),
});

export const accountGateQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...gateKeys.all, accountId],
    queryFn: ({ signal }) => send(getAccountGate, { params: { id: accountId }, signal }),
  });
