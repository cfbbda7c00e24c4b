import type { Provider, ProviderUse } from "@parley/contract/providers";
import { changeProvider, createProvider, listProviders, removeProvider } from "@parley/contract/routes/providers";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Badge, type Tone } from "../../../ui/feedback/badge.tsx";
import { FormError, Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";

/** Operator > Models: which language models are used, and their keys. */
export function ModelsPage() {
  const providers = useQuery(providersQuery);
  const [edited, setEdited] = useState<Provider | null>(null);
  const [removed, setRemoved] = useState<Provider | null>(null);
  const remove = useEdit({
    run: ({ name }: Provider) => send(removeProvider, { params: { name } }),
    changes: [providerKeys, ["engines"]],
    message: (_, provider) => `The key of ${titleOf(provider)} was forgotten.`,
    onDone: () => setRemoved(null),
  });
  const isAnyAsked = providers.data?.some(({ asked }) => asked !== null) ?? true;
  return (
    <Page title="Models" lead="Agents that converse freely need a language model. One key is enough.">
      <div className="space-y-5">
        {providers.error ? <Notice tone="danger">{errorText(providers.error)}</Notice> : null}
        {isAnyAsked ? null : (
          <Notice tone="accent">
            No model is set up. Agents whose flow needs none work all the same; those that do are refused until there is
            one.
          </Notice>
        )}
        <Card title="Language models" isFlush>
          {providers.isPending ? <SkeletonRows count={4} label="Fetching the models" /> : null}
          <ul className="mt-2 divide-y divide-line border-t border-line">
            {providers.data?.map((provider) => (
              <ProviderRow
                key={provider.name}
                provider={provider}
                onEdit={() => setEdited(provider)}
                onRemove={() => setRemoved(provider)}
              />
            ))}
          </ul>
        </Card>
        <p className="text-sm text-ink-soft">
          To see whether a model answers and calls tools, run{" "}
          <code className="font-mono">npm run parley -- doctor models</code> where the service runs. Speech is
          recognized and spoken by this installation itself and needs no key.
        </p>
      </div>
      {edited ? (
        <ProviderDialog
          provider={edited}
          hasOther={providers.data?.some(({ name, asked }) => asked !== null && name !== edited.name) ?? false}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {removed ? (
        <ConfirmDialog
          title={`Forget the key of ${titleOf(removed)}?`}
          lead="It cannot be recovered from here. Calls ask the other models from now on, or none where this is the last."
          keep="Keep it"
          confirm="Forget the key"
          isBusy={remove.isBusy}
          error={remove.error}
          onConfirm={() => remove.run(removed)}
          onClose={() => setRemoved(null)}
        />
      ) : null}
    </Page>
  );
}

interface ProviderRowProps {
  readonly provider: Provider;
  onEdit(): void;
  onRemove(): void;
}

function ProviderRow({ provider, onEdit, onRemove }: ProviderRowProps) {
  const { tone, word } = placeOf(provider);
  const title = titleOf(provider);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{title}</span>
          <Badge tone={tone}>{word}</Badge>
          {provider.source === "environment" ? <Badge>Set by the environment</Badge> : null}
        </p>
        <p className="mt-0.5 text-sm break-words text-ink-soft">{describeProvider(provider)}</p>
        {provider.source === "environment" ? (
          <p className="mt-0.5 text-sm break-words text-ink-soft">
            {provider.settings.join(", ")} {provider.settings.length === 1 ? "wins" : "win"}; change it where the
            service is started.
          </p>
        ) : null}
        {provider.trouble ? <p className="mt-1 text-sm text-danger-text">{provider.trouble}</p> : null}
      </div>
      {provider.source === "operator" ? (
        <div className="flex gap-2">
          <Button size="small" onClick={onRemove} aria-label={`Forget the key of ${title}`}>
            Forget
          </Button>
          <Button size="small" onClick={onEdit} aria-label={`Change ${title}`}>
            Change
          </Button>
        </div>
      ) : null}
      {provider.source === null ? (
        <Button size="small" onClick={onEdit} aria-label={`Set up ${title}`}>
          Set up
        </Button>
      ) : null}
    </li>
  );
}

interface Values {
  apiKey: string;
  baseUrl: string;
  model: string;
  use: ProviderUse;
}

interface ProviderDialogProps {
  readonly provider: Provider;
  /** Whether another model is already in use. */
  readonly hasOther: boolean;
  onClose(): void;
}

const NAMED = ["apiKey", "baseUrl", "model", "use"];

/** Sets or replaces the key of a provider; the stored one is never shown. */
function ProviderDialog({ provider, hasOther, onClose }: ProviderDialogProps) {
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
        // An empty key keeps the stored one.
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
    message: () => (isNew ? `${titleOf(provider)} can be asked from now on.` : `${titleOf(provider)} was saved.`),
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
        <FormError error={error} named={NAMED} />
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

const providerKeys = ["model-providers"] as const;

const providersQuery = queryOptions({
  queryKey: providerKeys,
  queryFn: ({ signal }) => send(listProviders, { signal }),
});

function titleOf({ title }: Pick<Provider, "title">): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** The use of a provider in calls. */
function placeOf({ asked, source, trouble }: Provider): { readonly tone: Tone; readonly word: string } {
  if (trouble !== null) return { tone: "danger", word: "Cannot be used" };
  if (asked === "first") return { tone: "accent", word: "Asked first" };
  if (asked === "fallback") return { tone: "neutral", word: "When the first fails" };
  return { tone: "neutral", word: source === null ? "Not set up" : "Not asked" };
}

/** A summary in one line; only the end of a key is shown. */
function describeProvider(provider: Provider): string {
  const { source, hasApiKey, lastFour, baseUrl, model, defaultModel } = provider;
  if (source === null) return defaultModel ? `Quick model: ${defaultModel}` : "Any server that speaks chat completions";
  return [baseUrl, model ?? defaultModel, hasApiKey ? (lastFour ? `key …${lastFour}` : "key stored") : null]
    .filter((part) => part !== null)
    .join(" · ");
}
