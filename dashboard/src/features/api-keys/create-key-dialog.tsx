import type { CreatedApiKey, NewApiKey } from "@parley/contract/api-keys";
import { createApiKey } from "@parley/contract/routes/members";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { inWords, Refusal } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useIsOwner } from "../settings/use-is-owner.ts";
import { CreatedKey } from "./created-key.tsx";
import { type KeyForm, readKeyForm, startKeyForm } from "./key-form.ts";
import { keysQuery } from "./key-queries.ts";
import { ScopeChoice } from "./scope-choice.tsx";

/** Makes a key and shows it, this once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  // The key itself is kept here alone, and is gone when the dialog is.
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
      // Once the key is shown the dialog is closed by its button alone, so that a stray click does not lose it.
      isSticky={created !== null}
      title={created ? "Your new key" : "Create New API Key"}
      lead={created ? created.name : "Give it a name that says where it is used."}
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
  const fields = error instanceof Refusal ? error.fields : {};
  const ipError = Object.entries(fields).find(([name]) => name.startsWith("allowedIps"))?.[1];
  return (
    <form className="space-y-4" onSubmit={handleSubmit((form) => onSubmit(readKeyForm(form, role)))}>
      {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      <TextField
        label="Name"
        required
        maxLength={120}
        placeholder="Booking server"
        error={fields["name"]}
        {...register("name")}
      />
      <SelectField
        label="Mode"
        hint={
          watch("mode") === "test" ? "Dials the simulated network and costs nothing." : "Dials for real and is charged."
        }
        {...register("mode")}
      >
        <option value="test">Test</option>
        <option value="live">Live</option>
      </SelectField>
      <ScopeChoice chosen={watch("scopes").length} role={role} register={register("scopes")} />
      <details className="rounded-xl border border-line px-4 py-3">
        <summary className="text-sm font-medium">Expiry, addresses and spend cap</summary>
        <div className="mt-4 space-y-4">
          <TextField label="Expires (optional)" type="date" error={fields["expiresAt"]} {...register("expiresOn")} />
          <TextField
            label="Addresses it may be used from (optional)"
            placeholder="203.0.113.7, 198.51.100.0/24"
            hint="With commas between them."
            error={ipError}
            {...register("allowedIps")}
          />
          <TextField
            label="Most it may spend a day, in USD (optional)"
            inputMode="decimal"
            placeholder="5.00"
            error={fields["dailySpendCap"]}
            {...register("dailySpendCap")}
          />
        </div>
      </details>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isPending} disabled={watch("scopes").length === 0}>
          Create key
        </Button>
      </DialogActions>
    </form>
  );
}
