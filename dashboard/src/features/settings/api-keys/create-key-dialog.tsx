import type { CreatedApiKey, NewApiKey } from "@parley/contract/api-keys";
import { createApiKey } from "@parley/contract/routes/members";
import { grantableScopes, type Role, SCOPES, type Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { Snippets } from "../../snippets/snippets.tsx";
import { useIsOwner } from "../for-owners.tsx";
import { keysQuery } from "./key-queries.ts";
import { apiKeysText } from "./text.ts";

/** Creates a key and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  // The key itself is only stored here, and is gone when the dialog is.
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NewApiKey) => send(createApiKey, { body }),
    onSuccess: async (key) => {
      setCreated(key);
      await queries.invalidateQueries(keysQuery);
    },
    gcTime: 0,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      // Once the key is shown only the button closes the dialog, so that a stray click does not lose it.
      isSticky={created !== null}
      title={created ? apiKeysText.yourNewKey : apiKeysText.createNewApiKey}
      lead={created ? created.name : apiKeysText.createLead}
    >
      {created ? (
        <CreatedKey created={created} onClose={onClose} />
      ) : (
        <KeyFields error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface KeyFieldsProps {
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(key: NewApiKey): void;
  onClose(): void;
}

function KeyFields({ error, isPending, onSubmit, onClose }: KeyFieldsProps) {
  const { mode } = useMode();
  const role = useIsOwner() ? "owner" : "member";
  const { register, handleSubmit, watch } = useForm<KeyForm>({ defaultValues: startKeyForm(mode, role) });
  const fields = error instanceof ApiError ? error.fields : {};
  const ipError = Object.entries(fields).find(([name]) => name.startsWith("allowedIps"))?.[1];
  return (
    <form className="space-y-4" onSubmit={handleSubmit((form) => onSubmit(readKeyForm(form, role)))}>
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <TextField
        label={apiKeysText.name}
        required
        maxLength={120}
        placeholder={apiKeysText.nameExample}
        error={fields["name"]}
        {...register("name")}
      />
      <SelectField
        label={apiKeysText.mode}
        hint={watch("mode") === "test" ? apiKeysText.testModeHint : apiKeysText.liveModeHint}
        {...register("mode")}
      >
        <option value="test">{apiKeysText.test}</option>
        <option value="live">{apiKeysText.live}</option>
      </SelectField>
      <ScopeChoice chosen={watch("scopes").length} role={role} register={register("scopes")} />
      <details className="rounded-xl border border-line px-4 py-3">
        <summary className="text-sm font-medium">{apiKeysText.moreLimits}</summary>
        <div className="mt-4 space-y-4">
          <TextField
            label={apiKeysText.expiresOptional}
            type="date"
            error={fields["expiresAt"]}
            {...register("expiresOn")}
          />
          <TextField
            label={apiKeysText.allowedIpAddressesOptional}
            placeholder="203.0.113.7, 198.51.100.0/24"
            hint={apiKeysText.separatedByCommas}
            error={ipError}
            {...register("allowedIps")}
          />
          <TextField
            label={apiKeysText.dailySpendCapOptional}
            inputMode="decimal"
            placeholder="5.00"
            error={fields["dailySpendCap"]}
            {...register("dailySpendCap")}
          />
        </div>
      </details>
      <DialogActions>
        <Button onClick={onClose}>{apiKeysText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isPending} disabled={watch("scopes").length === 0}>
          {apiKeysText.createKey}
        </Button>
      </DialogActions>
    </form>
  );
}

interface ScopeChoiceProps {
  readonly chosen: number;
  readonly role: Role;
  readonly register: UseFormRegisterReturn<"scopes">;
}

/** The scopes of the key, each explained. */
function ScopeChoice({ chosen, role, register }: ScopeChoiceProps) {
  const grantable = grantableScopes(role);
  return (
    <fieldset className="rounded-xl border border-line px-4 pt-1 pb-3">
      <legend className="px-1 text-sm font-medium">
        {apiKeysText.scopes}{" "}
        <span className="font-normal text-ink-soft">
          {chosen === SCOPES.length ? apiKeysText.allChosen : apiKeysText.someChosen(chosen, grantable.length)}
        </span>
      </legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {grantable.map((scope) => (
          <label key={scope} className="flex cursor-pointer items-start gap-2.5 py-1.5 text-sm">
            <input type="checkbox" value={scope} {...register} className="mt-1 size-4 shrink-0 accent-accent" />
            <span className="min-w-0">
              <span className="block leading-5">{apiKeysText.scopeMeanings[scope]}</span>
              <span className="block font-mono text-xs text-ink-soft">{scope}</span>
            </span>
          </label>
        ))}
      </div>
      {role === "owner" ? null : <p className="mt-1 text-sm text-ink-soft">{apiKeysText.onlyOwnersGrant}</p>}
    </fieldset>
  );
}

interface CreatedKeyProps {
  readonly created: CreatedApiKey;
  onClose(): void;
}

/** The only time a key can be seen. */
function CreatedKey({ created, onClose }: CreatedKeyProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const agentId = agents.find(({ publishedVersion }) => publishedVersion !== null)?.id ?? "YOUR_AGENT_ID";
  return (
    <>
      <div className="space-y-5">
        <Notice tone="warning">{apiKeysText.copyItNow}</Notice>
        <CopyField label={apiKeysText.apiKey} value={created.key} />
        <Snippets
          label={apiKeysText.placeACallWith}
          request={{
            method: "POST",
            path: "/api/v1/calls",
            apiKey: created.key,
            body: { phoneNumber: "+15550100001", agentId, engine: "local" },
          }}
        />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {apiKeysText.copied}
        </Button>
      </DialogActions>
    </>
  );
}

/** The form values. */
interface KeyForm {
  name: string;
  mode: Mode;
  scopes: Scope[];
  /** A day in the reader's own time zone, or empty. */
  expiresOn: string;
  allowedIps: string;
  dailySpendCap: string;
}

/** A key may do everything that its creator may grant, unless something is unticked. */
function startKeyForm(mode: Mode, role: Role): KeyForm {
  return { name: "", mode, scopes: grantableScopes(role), expiresOn: "", allowedIps: "", dailySpendCap: "" };
}

/** The request. Empty fields are omitted. */
function readKeyForm({ name, mode, scopes, expiresOn, allowedIps, dailySpendCap }: KeyForm, role: Role): NewApiKey {
  const ips = allowedIps.split(/[\s,]+/).filter(Boolean);
  return {
    name: name.trim(),
    mode,
    ...(scopes.length === grantableScopes(role).length ? {} : { scopes }),
    ...(expiresOn ? { expiresAt: endOfDay(expiresOn) } : {}),
    ...(ips.length > 0 ? { allowedIps: ips } : {}),
    ...(dailySpendCap.trim() ? { dailySpendCap: dailySpendCap.trim() } : {}),
  };
}

/** A key that expires on a day works through that day. */
function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
