import type { Provider } from "@parley/contract/providers";
import { removeProvider } from "@parley/contract/routes/providers";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { inWords } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";
import { describeProvider, placeOf, providerKeys, providersQuery, titleOf } from "./provider-queries.ts";

/** Operator > Models: whose language models are asked, and their keys. */
export function ModelsPage() {
  const providers = useQuery(providersQuery);
  const [edited, setEdited] = useState<Provider | null>(null);
  const [removed, setRemoved] = useState<Provider | null>(null);
  const remove = useEdit({
    run: ({ name }: Provider) => send(removeProvider, { params: { name } }),
    changes: [providerKeys, ["engines"]],
    said: (_, provider) => `The key of ${titleOf(provider)} was forgotten.`,
    onDone: () => setRemoved(null),
  });
  const isAnyAsked = providers.data?.some(({ asked }) => asked !== null) ?? true;
  return (
    <Page title="Models" lead="Agents that converse freely need a language model. One key is enough.">
      <div className="space-y-5">
        {providers.error ? <Notice tone="danger">{inWords(providers.error)}</Notice> : null}
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
