import type { Provider, ProviderField, ProviderUse } from "@parley/contract/providers";
import { changeProvider, createProvider, listProviders, removeProvider } from "@parley/contract/routes/providers";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
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
import { enginesQuery } from "../../agents/agent-list-query.ts";
import { partLabel } from "../../engines/engine-words.ts";

const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => send(listProviders, { signal }),
});

/** Operator > Providers: the vendors of language models and speech, their keys, and the order of language models. */
export function ProvidersPage() {
  const providers = useQuery(providersQuery);
  const [edited, setEdited] = useState<Provider | null>(null);
  const [removed, setRemoved] = useState<Provider | null>(null);
  const remove = useEdit({
    run: ({ name }: Provider) => send(removeProvider, { params: { name } }),
    changes: [providersQuery.queryKey, enginesQuery.queryKey],
    message: (_, provider) => `${titleOf(provider)} was disconnected.`,
    onDone: () => setRemoved(null),
  });
  const connected = providers.data?.filter(({ source }) => source !== null) ?? [];
  const others = providers.data?.filter(({ source }) => source === null) ?? [];
  const row = (provider: Provider) => (
    <ProviderRow
      key={provider.name}
      provider={provider}
      onEdit={() => setEdited(provider)}
      onRemove={() => setRemoved(provider)}
    />
  );
  return (
    <Page
      title="Providers"
      lead="Your accounts at vendors of language models and speech. A key opens the parts of engines that the vendor offers."
    >
      <div className="space-y-5">
        {providers.error ? <Notice tone="danger">{errorText(providers.error)}</Notice> : null}
        {providers.data ? <LanguageModels /> : null}
        {connected.length > 0 ? (
          <Card title="Connected" isFlush>
            <ul aria-label="Connected providers" className="mt-2 divide-y divide-line border-t border-line">
              {connected.map(row)}
            </ul>
          </Card>
        ) : null}
        {providers.data && others.length === 0 ? null : (
          <Card title={connected.length > 0 ? "More providers" : "Available providers"} isFlush>
            <p className="px-4 text-sm text-ink-soft sm:px-5">
              None is required: the engine local recognizes and speaks English on this machine.
            </p>
            {providers.isPending ? <SkeletonRows count={4} label="Loading providers" /> : null}
            <ul aria-label="More providers" className="mt-3 divide-y divide-line border-t border-line">
              {others.map(row)}
            </ul>
          </Card>
        )}
        <p className="text-sm text-ink-soft">
          What the keys open, and whether they work, is shown under{" "}
          <Link to="/operator/engines" className="font-medium text-accent-text underline underline-offset-4">
            Operator &gt; Engines
          </Link>
          .
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
          title={`Disconnect ${titleOf(removed)}?`}
          lead="Its key is deleted and cannot be recovered. Engines use their other parts from the next reply on, or become unavailable."
          keep="Keep it"
          confirm="Disconnect"
          isBusy={remove.isBusy}
          error={remove.error}
          onConfirm={() => remove.run(removed)}
          onClose={() => setRemoved(null)}
        />
      ) : null}
    </Page>
  );
}

/** The order in which calls use language models. Only these have one; speech is chosen by the engine of a call. */
function LanguageModels() {
  const { data: engines } = useQuery(enginesQuery);
  const model = engines?.find(({ isDefault }) => isDefault)?.model;
  if (!model) return null;
  if (model.name === null) {
    return (
      <Notice tone="accent">
        No language model is connected. Agents whose flow needs one are refused until there is; all others work without.
      </Notice>
    );
  }
  return (
    <Card title="Order of language models">
      <p className="text-sm text-ink-soft">
        Calls use the default. If it fails or does not respond in time, the next one replies instead. Engines with a
        language model in their name use that one first.
      </p>
      <ol aria-label="Order of language models" className="mt-3 space-y-2 text-sm">
        {[model.name, ...model.fallbacks].map((name, index) => (
          <li key={name} className="flex flex-wrap items-center gap-2">
            <span className="w-4 text-ink-soft tabular-nums">{index + 1}.</span>
            <span className="min-w-0 font-medium break-all">{name}</span>
            <Badge tone={index === 0 ? "accent" : "neutral"}>{index === 0 ? "Default" : "Fallback"}</Badge>
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface ProviderRowProps {
  readonly provider: Provider;
  onEdit(): void;
  onRemove(): void;
}

function ProviderRow({ provider, onEdit, onRemove }: ProviderRowProps) {
  const state = stateOf(provider);
  const title = titleOf(provider);
  const details = detailsOf(provider);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{title}</span>
          {state ? <Badge tone={state.tone}>{state.word}</Badge> : null}
          {provider.source === "environment" ? <Badge>Set by the environment</Badge> : null}
        </p>
        <p className="mt-0.5 text-sm break-words text-ink-soft">{provider.parts.map(partLabel).join(" · ")}</p>
        {details === "" ? null : <p className="mt-0.5 text-sm break-words text-ink-soft">{details}</p>}
        {provider.source === "environment" ? (
          <p className="mt-0.5 text-sm break-words text-ink-soft">
            Configured with {provider.settings.join(", ")} where the service is started.
          </p>
        ) : null}
        {provider.trouble ? <p className="mt-1 text-sm text-danger-text">{provider.trouble}</p> : null}
      </div>
      {provider.source === "operator" ? (
        <div className="flex gap-2">
          <Button size="small" onClick={onRemove} aria-label={`Disconnect ${title}`}>
            Disconnect
          </Button>
          <Button size="small" onClick={onEdit} aria-label={`Change ${title}`}>
            Change
          </Button>
        </div>
      ) : null}
      {provider.source === null ? (
        <Button size="small" onClick={onEdit} aria-label={`Connect ${title}`}>
          Connect
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
  /** Whether another language model is already in use. */
  readonly hasOther: boolean;
  onClose(): void;
}

const NAMED = ["apiKey", "baseUrl", "model", "use"];

/** Sets or replaces the key of a provider; the stored one is never shown. */
function ProviderDialog({ provider, hasOther, onClose }: ProviderDialogProps) {
  const { name, needs, takes, source, defaultModel, parts } = provider;
  const isNew = source === null;
  const isModel = parts.includes("model");
  const wants = (field: ProviderField) => needs.includes(field) || takes.includes(field);
  const wantsModel = isModel || wants("model");
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: {
      apiKey: "",
      baseUrl: provider.baseUrl ?? "",
      model: provider.model ?? "",
      use: provider.use ?? (isModel && !hasOther ? "first" : "fallback"),
    },
  });
  const { run, isBusy, error, fields } = useEdit({
    run: (values: Values) => {
      const apiKey = values.apiKey.trim();
      const body = {
        // An empty key keeps the stored one.
        ...(apiKey === "" ? {} : { apiKey }),
        ...(wants("baseUrl") ? { baseUrl: values.baseUrl.trim() || null } : {}),
        ...(wantsModel ? { model: values.model.trim() || null } : {}),
        use: values.use,
      };
      return isNew
        ? send(createProvider, { body: { name, ...body } })
        : send(changeProvider, { params: { name }, body });
    },
    changes: [providersQuery.queryKey, enginesQuery.queryKey],
    message: () => (isNew ? `${titleOf(provider)} is connected.` : `${titleOf(provider)} was saved.`),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? `Connect ${titleOf(provider)}` : titleOf(provider)}
      lead={`For ${listOf(parts.map((part) => partLabel(part).toLowerCase()))}. Takes effect immediately, in live calls from the next reply.`}
    >
      <form className="space-y-4" autoComplete="off" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        {wants("baseUrl") ? (
          <TextField
            label="Base URL of the server"
            type="url"
            required={needs.includes("baseUrl")}
            placeholder="http://127.0.0.1:11434/v1"
            hint={`It ends before ${endpointOf(provider)}.`}
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
        {wantsModel ? (
          <TextField
            label={modelLabel(provider)}
            required={needs.includes("model")}
            placeholder={defaultModel ?? ""}
            hint={
              defaultModel
                ? `Leave empty for ${defaultModel}, which is fast to its first word.`
                : "As the server names it."
            }
            error={fields["model"]}
            {...register("model")}
          />
        ) : null}
        <SelectField
          label={isModel ? "Language model" : "Use"}
          hint={
            isModel
              ? "The default replies in every call; fallbacks take over when it fails or does not respond in time."
              : "Engines that name this vendor use it."
          }
          error={fields["use"]}
          {...register("use")}
        >
          {isModel ? <option value="first">Default</option> : null}
          <option value="fallback">{isModel ? "Fallback" : "On"}</option>
          <option value="off">Off, keep the key</option>
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

function titleOf({ title }: Pick<Provider, "title">): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function modelLabel({ parts, needs }: Provider): string {
  // A vendor may also offer speech models, which engines choose.
  const label = parts.includes("model") && parts.length > 1 ? "Model of its language models" : "Model";
  return needs.includes("model") ? label : `${label} (optional)`;
}

/** The path of the API of an operator's own server. */
function endpointOf({ parts }: Provider): string {
  if (parts.includes("recognition")) return "/audio/transcriptions";
  return parts.includes("synthesis") ? "/audio/speech" : "/chat/completions";
}

function listOf(words: readonly string[]): string {
  return new Intl.ListFormat("en").format(words);
}

/** The use of a connected provider. */
function stateOf({
  asked,
  source,
  trouble,
  use,
  parts,
}: Provider): { readonly tone: Tone; readonly word: string } | null {
  if (source === null) return null;
  if (trouble !== null) return { tone: "danger", word: "Cannot be used" };
  if (use === "off" && source === "operator") return { tone: "neutral", word: "Off" };
  if (asked === "first") return { tone: "accent", word: "Default language model" };
  if (asked === "fallback") return { tone: "accent", word: "Fallback language model" };
  // The environment may name other models than this one.
  return parts.every((part) => part === "model")
    ? { tone: "neutral", word: "Not used" }
    : { tone: "accent", word: "On" };
}

/** A summary in one line; only the end of a key is shown. */
function detailsOf(provider: Provider): string {
  const { source, hasApiKey, lastFour, baseUrl, model, defaultModel } = provider;
  if (source === null) return "";
  return [baseUrl, model ?? defaultModel, hasApiKey ? (lastFour ? `key …${lastFour}` : "key stored") : null]
    .filter((part) => part !== null)
    .join(" · ");
}
