import type { Provider, ProviderField, ProviderUse } from "@parley/contract/providers";
import { changeProvider, createProvider, listProviders, removeProvider } from "@parley/contract/routes/providers";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { locale } from "../../../languages/language.ts";
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
import { ProviderRates } from "./provider-rates.tsx";
import { providerTitle } from "./provider-title.ts";
import { operatorProvidersText } from "./text.tsx";

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
    message: (_, provider) => operatorProvidersText.wasDisconnected(providerTitle(provider)),
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
    <Page title={operatorProvidersText.providers} lead={operatorProvidersText.lead}>
      <div className="space-y-5">
        {providers.error ? <Notice tone="danger">{errorText(providers.error)}</Notice> : null}
        {providers.data ? <LanguageModels /> : null}
        {connected.length > 0 ? (
          <Card title={operatorProvidersText.connected} isFlush>
            <ul
              aria-label={operatorProvidersText.connectedProviders}
              className="mt-2 divide-y divide-line border-t border-line"
            >
              {connected.map(row)}
            </ul>
          </Card>
        ) : null}
        {providers.data && others.length === 0 ? null : (
          <Card
            title={
              connected.length > 0 ? operatorProvidersText.moreProviders : operatorProvidersText.availableProviders
            }
            isFlush
          >
            <p className="px-4 text-sm text-ink-soft sm:px-5">{operatorProvidersText.noneRequired}</p>
            {providers.isPending ? <SkeletonRows count={4} label={operatorProvidersText.loadingProviders} /> : null}
            <ul
              aria-label={operatorProvidersText.moreProviders}
              className="mt-3 divide-y divide-line border-t border-line"
            >
              {others.map(row)}
            </ul>
          </Card>
        )}
        {providers.data ? <ProviderRates providers={providers.data} /> : null}
        <p className="text-sm text-ink-soft">
          {operatorProvidersText.seeEngines((label) => (
            <Link to="/operator/engines" className="font-medium text-accent-text underline underline-offset-4">
              {label}
            </Link>
          ))}
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
          title={operatorProvidersText.disconnectQuestion(providerTitle(removed))}
          lead={operatorProvidersText.disconnectConsequence}
          keep={operatorProvidersText.keepIt}
          confirm={operatorProvidersText.disconnect}
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
    return <Notice tone="accent">{operatorProvidersText.noLanguageModel}</Notice>;
  }
  return (
    <Card title={operatorProvidersText.modelOrder}>
      <p className="text-sm text-ink-soft">{operatorProvidersText.modelOrderLead}</p>
      <ol aria-label={operatorProvidersText.modelOrder} className="mt-3 space-y-2 text-sm">
        {[model.name, ...model.fallbacks].map((name, index) => (
          <li key={name} className="flex flex-wrap items-center gap-2">
            <span className="w-4 text-ink-soft tabular-nums">{index + 1}.</span>
            <span className="min-w-0 font-medium break-all">{name}</span>
            <Badge tone={index === 0 ? "accent" : "neutral"}>
              {index === 0 ? operatorProvidersText.defaultLabel : operatorProvidersText.fallback}
            </Badge>
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
  const title = providerTitle(provider);
  const details = detailsOf(provider);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{title}</span>
          {state ? <Badge tone={state.tone}>{state.word}</Badge> : null}
          {provider.source === "environment" ? <Badge>{operatorProvidersText.setByTheEnvironment}</Badge> : null}
        </p>
        <p className="mt-0.5 text-sm break-words text-ink-soft">{provider.parts.map(partLabel).join(" · ")}</p>
        {details === "" ? null : <p className="mt-0.5 text-sm break-words text-ink-soft">{details}</p>}
        {provider.source === "environment" || !isConnectable(provider) ? (
          <p className="mt-0.5 text-sm break-words text-ink-soft">
            {operatorProvidersText.configuredWith(provider.settings.join(", "))}
          </p>
        ) : null}
        {provider.trouble ? <p className="mt-1 text-sm text-danger-text">{provider.trouble}</p> : null}
      </div>
      {provider.source === "operator" ? (
        <div className="flex gap-2">
          <Button size="small" onClick={onRemove} aria-label={operatorProvidersText.disconnectProvider(title)}>
            {operatorProvidersText.disconnect}
          </Button>
          <Button size="small" onClick={onEdit} aria-label={operatorProvidersText.changeProvider(title)}>
            {operatorProvidersText.change}
          </Button>
        </div>
      ) : null}
      {provider.source === null && isConnectable(provider) ? (
        <Button size="small" onClick={onEdit} aria-label={operatorProvidersText.connectProvider(title)}>
          {operatorProvidersText.connect}
        </Button>
      ) : null}
    </li>
  );
}

/** What names a folder of the server is set where the service is started. */
function isConnectable({ needs, takes }: Provider): boolean {
  return needs.length + takes.length > 0;
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
    message: () =>
      isNew
        ? operatorProvidersText.isConnected(providerTitle(provider))
        : operatorProvidersText.wasSaved(providerTitle(provider)),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? operatorProvidersText.connectProvider(providerTitle(provider)) : providerTitle(provider)}
      lead={operatorProvidersText.dialogLead(new Intl.ListFormat(locale).format(parts.map(partLabel)))}
    >
      <form className="space-y-4" autoComplete="off" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        {wants("baseUrl") ? (
          <TextField
            label={operatorProvidersText.baseUrl}
            type="url"
            required={needs.includes("baseUrl")}
            placeholder="http://127.0.0.1:11434/v1"
            hint={operatorProvidersText.baseUrlHint(endpointOf(provider))}
            error={fields["baseUrl"]}
            {...register("baseUrl")}
          />
        ) : null}
        {wants("apiKey") ? (
          <TextField
            label={needs.includes("apiKey") ? operatorProvidersText.apiKey : operatorProvidersText.apiKeyOptional}
            type="password"
            autoComplete="new-password"
            required={isNew && needs.includes("apiKey")}
            placeholder={provider.hasApiKey ? operatorProvidersText.storedTypeToReplace : ""}
            hint={operatorProvidersText.apiKeyHint}
            error={fields["apiKey"]}
            {...register("apiKey")}
          />
        ) : null}
        {wantsModel ? (
          <TextField
            label={modelLabel(provider)}
            required={needs.includes("model")}
            placeholder={defaultModel ?? ""}
            hint={defaultModel ? operatorProvidersText.defaultModelHint(defaultModel) : operatorProvidersText.modelHint}
            error={fields["model"]}
            {...register("model")}
          />
        ) : null}
        <SelectField
          label={isModel ? operatorProvidersText.languageModel : operatorProvidersText.use}
          hint={isModel ? operatorProvidersText.useOfModelHint : operatorProvidersText.useHint}
          error={fields["use"]}
          {...register("use")}
        >
          {isModel ? <option value="first">{operatorProvidersText.defaultLabel}</option> : null}
          <option value="fallback">{isModel ? operatorProvidersText.fallback : operatorProvidersText.on}</option>
          <option value="off">{operatorProvidersText.offKeepTheKey}</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>{operatorProvidersText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {operatorProvidersText.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function modelLabel({ parts, needs }: Provider): string {
  // A vendor may also offer speech models, which engines choose.
  const label =
    parts.includes("model") && parts.length > 1 ? operatorProvidersText.languageModelName : operatorProvidersText.model;
  return label(!needs.includes("model"));
}

/** The path of the API of an operator's own server. */
function endpointOf({ parts }: Provider): string {
  if (parts.includes("recognition")) return "/audio/transcriptions";
  return parts.includes("synthesis") ? "/audio/speech" : "/chat/completions";
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
  if (trouble !== null) return { tone: "danger", word: operatorProvidersText.cannotBeUsed };
  if (use === "off" && source === "operator") return { tone: "neutral", word: operatorProvidersText.off };
  if (asked === "first") return { tone: "accent", word: operatorProvidersText.defaultLanguageModel };
  if (asked === "fallback") return { tone: "accent", word: operatorProvidersText.fallbackLanguageModel };
  // The environment may name other models than this one.
  return parts.every((part) => part === "model")
    ? { tone: "neutral", word: operatorProvidersText.notUsed }
    : { tone: "accent", word: operatorProvidersText.on };
}

/** A summary in one line; only the end of a key is shown. */
function detailsOf(provider: Provider): string {
  const { source, hasApiKey, lastFour, baseUrl, model, defaultModel } = provider;
  if (source === null) return "";
  return [
    baseUrl,
    model ?? defaultModel,
    hasApiKey ? (lastFour ? operatorProvidersText.key(lastFour) : operatorProvidersText.keyStored) : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
