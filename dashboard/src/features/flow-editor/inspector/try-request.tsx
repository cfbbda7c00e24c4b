import type { FlowRequest, SavedValue } from "@parley/contract/flow-request";
import { tryTool } from "@parley/contract/routes/try";
import type { ToolTrialResult } from "@parley/contract/try";
import { placeholderNames } from "@parley/flow/placeholders";
import { useMutation } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { useFieldScope } from "../fields/field-scope.tsx";
import { keepSampleValues, useSampleValues } from "../sample-values.ts";
import { inspectorText } from "./text.tsx";

interface TryRequestProps {
  readonly request: FlowRequest;
  readonly saves: readonly (typeof SavedValue)["_zod"]["output"][];
}

/** Sends a request once, as a call would, with examples for the names in it. */
export function TryRequest({ request, saves }: TryRequestProps) {
  const { agentId } = useFieldScope();
  const samples = useSampleValues(agentId);
  const names = [...new Set(placeholderNames(JSON.stringify(request)))];
  const trial = useMutation({
    mutationFn: () => {
      const values = Object.fromEntries(names.map((name) => [name, samples[name] ?? ""]));
      return send(tryTool, { params: { id: agentId }, body: { request, saves: [...saves], values } });
    },
  });
  return (
    <section aria-label={inspectorText.tryRequest} className="space-y-3 rounded-xl bg-sunken/60 p-3.5">
      {names.map((name) => (
        <TextField
          key={name}
          label={inspectorText.exampleFor(name)}
          value={samples[name] ?? ""}
          onChange={({ target }) => keepSampleValues(agentId, { ...samples, [name]: target.value })}
        />
      ))}
      <Button isBusy={trial.isPending} disabled={request.url.trim() === ""} onClick={() => trial.mutate()}>
        <Send aria-hidden="true" />
        {inspectorText.tryRequest}
      </Button>
      <p className="text-sm text-ink-soft">{inspectorText.reallySent}</p>
      <div role="status" className="space-y-3">
        {trial.error ? <Notice tone="danger">{errorText(trial.error)}</Notice> : null}
        {trial.data ? <TrialResult result={trial.data} /> : null}
      </div>
    </section>
  );
}

function TrialResult({ result }: { readonly result: ToolTrialResult }) {
  const saved = Object.entries(result.saved);
  return (
    <div className="space-y-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={result.ok ? "accent" : "danger"}>{result.status ?? inspectorText.noReply}</Badge>
        <span className="text-ink-soft tabular-nums">{`${result.durationMs} ms`}</span>
      </p>
      {result.failure ? <p className="text-danger-text">{apiText.wordSentence(result.failure)}</p> : null}
      <p className="font-mono text-xs break-all text-ink-soft">
        {result.sent.method} {result.sent.url}
      </p>
      {result.excerpt ? (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long is scrolled to, also by keyboard.
          tabIndex={0}
          className="max-h-52 overflow-auto rounded-lg bg-surface p-2.5 font-mono text-xs whitespace-pre-wrap"
        >
          {result.excerpt}
          {result.isCut ? "…" : ""}
        </pre>
      ) : null}
      {saved.map(([name, value]) => (
        <p key={name} className="flex justify-between gap-3">
          <span className="font-mono text-[0.8125rem]">{name}</span>
          <span className={value === null ? "text-danger-text" : ""}>
            {value === null ? inspectorText.notFound : String(value)}
          </span>
        </p>
      ))}
    </div>
  );
}
