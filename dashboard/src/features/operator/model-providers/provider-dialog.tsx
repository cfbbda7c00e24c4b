import type { Provider, ProviderUse } from "@parley/contract/providers";
import { changeProvider, createProvider } from "@parley/contract/routes/providers";
import { useForm } from "react-hook-form";
import { send } from "../../../api/send.ts";
import { Refused } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { providerKeys, titleOf } from "./provider-queries.ts";

interface Values {
  apiKey: string;
  baseUrl: string;
  model: string;
  use: ProviderUse;
}

interface ProviderDialogProps {
  readonly provider: Provider;
  /** Whether some other model is asked already. */
  readonly hasOther: boolean;
  onClose(): void;
}

const NAMED = ["apiKey", "baseUrl", "model", "use"];

/** Sets the key of a provider, or replaces it; what is stored is never shown. */
export function ProviderDialog({ provider, hasOther, onClose }: ProviderDialogProps) {
  const { name, needs, takes, source, defaultModel } = provider;
  const isNew = source === null;
  const wants = (field: (typeof needs)[number]) => needs.includes(field) || takes.includes(field);
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: {
      apiKey: "",
      baseUrl: provider.baseUrl ?? "",
      model: provider.model ?? "",
      use: provider.use ?? (hasOther ? "fallback" : "first"),
    },
  });
  const { run, isBusy, error, fields } = useEdit({
    run: (values: Values) => {
      const apiKey = values.apiKey.trim();
      const body = {
        // A key that was left empty stays as it is stored.
        ...(apiKey === "" ? {} : { apiKey }),
        ...(wants("baseUrl") ? { baseUrl: values.baseUrl.trim() || null } : {}),
        model: values.model.trim() || null,
        use: values.use,
      };
      return isNew
        ? send(createProvider, { body: { name, ...body } })
        : send(changeProvider, { params: { name }, body });
    },
    changes: [providerKeys, ["engines"]],
    said: () => (isNew ? `${titleOf(provider)} can be asked from now on.` : `${titleOf(provider)} was saved.`),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? `Set up ${titleOf(provider)}` : titleOf(provider)}
      lead="Every process takes it up at once; calls under way do at their next reply."
    >
      <form className="space-y-4" autoComplete="off" onSubmit={handleSubmit((values) => run(values))}>
        <Refused error={error} named={NAMED} />
        {wants("baseUrl") ? (
          <TextField
            label="Address of the server"
            type="url"
            required={needs.includes("baseUrl")}
            placeholder="http://127.0.0.1:11434/v1"
            hint="It ends before /chat/completions."
            error={fields["baseUrl"]}
            {...register("baseUrl")}
          />
        ) : null}
        {wants("apiKey") ? (
          <TextField
            label={needs.includes("apiKey") ? "API key" : "API key (optional)"}
            type="password"
            autoComplete="new-password"
            required={isNew && needs.includes("apiKey")}
            placeholder={provider.hasApiKey ? "Stored; type to replace it" : ""}
            hint="Stored encrypted and never shown again, only its last four characters."
            error={fields["apiKey"]}
            {...register("apiKey")}
          />
        ) : null}
        <TextField
          label={needs.includes("model") ? "Model" : "Model (optional)"}
          required={needs.includes("model")}
          placeholder={defaultModel ?? "llama3.2"}
          hint={
            defaultModel ? `Left empty: ${defaultModel}, which is quick to its first word.` : "As the server calls it."
          }
          error={fields["model"]}
          {...register("model")}
        />
        <SelectField
          label="When it is asked"
          hint="The first one answers in every call; the others step in when it fails or says nothing in time."
          error={fields["use"]}
          {...register("use")}
        >
          <option value="first">First</option>
          <option value="fallback">When the first one fails</option>
          <option value="off">Never, only kept</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
