import type { EngineFinding, EngineReport } from "@parley/contract/doctor";
import type { Engine, EnginePart } from "@parley/contract/engines";
import { examineEngine } from "@parley/contract/routes/doctor";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Stethoscope } from "lucide-react";
import { useId } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge, type Tone } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { enginesQuery } from "../../agents/agent-list-query.ts";
import { languagesInWords, partLabel, partName } from "../../engines/engine-words.ts";
import { operatorEnginesText } from "./text.tsx";

/** Operator > Engines: what each engine consists of, what it lacks, and whether it works. */
export function EnginesPage() {
  const engines = useQuery(enginesQuery);
  const costId = useId();
  const trial = useTrial();
  const ready = engines.data?.filter(({ available }) => available) ?? [];
  const others = engines.data?.filter(({ available }) => !available) ?? [];
  const row = (engine: Engine) => <EngineRow key={engine.name} engine={engine} trial={trial} costId={costId} />;
  return (
    <Page title={operatorEnginesText.engines} lead={operatorEnginesText.lead}>
      <div className="space-y-5">
        {engines.error ? <Notice tone="danger">{errorText(engines.error)}</Notice> : null}
        <Card title={operatorEnginesText.available} isFlush>
          <p id={costId} className="px-4 text-sm text-ink-soft sm:px-5">
            {operatorEnginesText.tryCost}
          </p>
          {engines.isPending ? <SkeletonRows count={3} label={operatorEnginesText.loadingEngines} /> : null}
          <ul
            aria-label={operatorEnginesText.availableEngines}
            className="mt-3 divide-y divide-line border-t border-line"
          >
            {ready.map(row)}
          </ul>
        </Card>
        {others.length > 0 ? (
          <Card title={operatorEnginesText.notSetUp} isFlush>
            <p className="px-4 text-sm text-ink-soft sm:px-5">
              {operatorEnginesText.notSetUpLead((label) => (
                <Link to="/operator/providers" className="font-medium text-accent-text underline underline-offset-4">
                  {label}
                </Link>
              ))}
            </p>
            <ul
              aria-label={operatorEnginesText.enginesNotSetUp}
              className="mt-3 divide-y divide-line border-t border-line"
            >
              {others.map(row)}
            </ul>
          </Card>
        ) : null}
        <p className="text-sm text-ink-soft">
          {operatorEnginesText.namesExplained((text) => (
            <code className="font-mono break-all">{text}</code>
          ))}
        </p>
      </div>
    </Page>
  );
}

interface Trial {
  /** The engine that is being tried. */
  readonly pending: string | null;
  readonly failed: { readonly name: string; readonly error: Error } | null;
  reportOf(name: string): EngineReport | undefined;
  start(name: string): void;
}

function useTrial(): Trial {
  const queries = useQueryClient();
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (name: string) => send(examineEngine, { params: { name } }),
    // The result survives leaving the page and coming back.
    onSuccess: (report, name) => queries.setQueryData(["engine-report", name], report),
  });
  return {
    pending: isPending ? variables : null,
    failed: error && !isPending && variables !== undefined ? { name: variables, error } : null,
    reportOf: (name) => queries.getQueryData<EngineReport>(["engine-report", name]),
    start: (name) => mutate(name),
  };
}

interface EngineRowProps {
  readonly engine: Engine;
  readonly trial: Trial;
  /** The element that says what trying costs. */
  readonly costId: string;
}

function EngineRow({ engine, trial, costId }: EngineRowProps) {
  const { name, description, available, isDefault, missing } = engine;
  const isPending = trial.pending === name;
  const report = trial.reportOf(name);
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium break-all">{name}</span>
            {isDefault ? <Badge tone="accent">{operatorEnginesText.defaultLabel}</Badge> : null}
            {available ? null : <Badge tone="warning">{operatorEnginesText.notSetUp}</Badge>}
          </p>
          <p className="mt-0.5 text-sm break-words text-ink-soft">{apiText.wordSentence(description)}</p>
        </div>
        {available ? (
          <Button
            size="small"
            isBusy={isPending}
            disabled={trial.pending !== null}
            aria-label={operatorEnginesText.tryEngine(name)}
            aria-describedby={costId}
            onClick={() => trial.start(name)}
          >
            <Stethoscope aria-hidden="true" />
            {operatorEnginesText.tryLabel}
          </Button>
        ) : null}
      </div>
      <dl className="mt-3 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
        {partsOf(engine).map(({ label, text }) => (
          <div key={label} className="contents">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="min-w-0 break-words max-sm:mb-1">{text}</dd>
          </div>
        ))}
      </dl>
      {missing.map((sentence) => (
        <p key={sentence} className="mt-2 text-sm break-words text-warning-text">
          {apiText.wordSentence(sentence)}
        </p>
      ))}
      {isPending ? (
        <p role="status" className="mt-3 text-sm text-ink-soft">
          {operatorEnginesText.trying}
        </p>
      ) : null}
      {trial.failed?.name === name ? (
        <div className="mt-3">
          <Notice tone="danger">{errorText(trial.failed.error)}</Notice>
        </div>
      ) : null}
      {!isPending && report ? <Report report={report} /> : null}
    </li>
  );
}

/** What an engine consists of, in the order of a turn. */
function partsOf({ recognition, model, synthesis, languages }: Engine) {
  return [
    { label: partLabel("recognition"), text: chainOf(recognition) },
    { label: partLabel("model"), text: modelOf(model) },
    { label: partLabel("synthesis"), text: chainOf(synthesis) },
    { label: operatorEnginesText.languages, text: languagesInWords(languages) },
  ].filter(({ text }) => text !== "");
}

function chainOf(parts: readonly EnginePart[]): string {
  return operatorEnginesText.chain(
    parts.map((part) => (part.available ? partName(part) : operatorEnginesText.partNotSetUp(partName(part)))),
  );
}

function modelOf(model: Engine["model"]): string {
  if (model === null) return operatorEnginesText.partOfTheEngine;
  if (model.name === null) return operatorEnginesText.noModel;
  return operatorEnginesText.chain([model.name, ...model.fallbacks]);
}

function Report({ report }: { readonly report: EngineReport }) {
  const faults = report.findings.filter(({ verdict }) => verdict === "fault").length;
  const reply = replyInWords(report);
  return (
    <div className="mt-3 rounded-xl bg-sunken/60 p-3.5">
      <p role="status" className="text-sm font-medium">
        {operatorEnginesText.reportSummary(faults)} {reply}
      </p>
      <ol aria-label={operatorEnginesText.resultOf(report.engine)} className="mt-2 divide-y divide-line">
        {report.findings.map((finding) => (
          <Finding key={`${finding.part} ${finding.name}`} finding={finding} />
        ))}
      </ol>
    </div>
  );
}

function Finding({ finding: { part, name, firstResultMs, verdict, finding } }: { readonly finding: EngineFinding }) {
  const { word, tone } = VERDICT_LABELS[verdict];
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 py-2.5 text-sm sm:flex-row">
      <p className="flex w-56 shrink-0 items-center gap-2 self-start sm:justify-between">
        <span className="text-ink-soft">{partLabel(part)}</span>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <div className="min-w-0 flex-1 break-words">
        <p>
          <span className="font-medium">{name}</span>
          {firstResultMs === null ? null : `: ${operatorEnginesText.firstResult[part](firstResultMs)}`}
        </p>
        <p className="mt-0.5 text-ink-soft">{apiText.wordSentence(finding)}</p>
      </div>
    </li>
  );
}

const VERDICT_LABELS: Readonly<Record<EngineFinding["verdict"], { readonly word: string; readonly tone: Tone }>> = {
  ok: { word: operatorEnginesText.works, tone: "accent" },
  warning: { word: operatorEnginesText.checkThis, tone: "warning" },
  fault: { word: operatorEnginesText.failed, tone: "danger" },
  skipped: { word: operatorEnginesText.onThisMachine, tone: "neutral" },
};

/**
 * How long a callee would wait for the first choices of all parts; of an engine with parts on this machine, for the vendors' parts.
 * Empty if one of these was not measured.
 */
export function replyInWords({ findings }: Pick<EngineReport, "findings">): string {
  const parts = [...new Set(findings.map(({ part }) => part))];
  const firsts = parts.flatMap((part) => findings.find((finding) => finding.part === part) ?? []);
  const ofVendors = firsts.filter(({ verdict }) => verdict !== "skipped");
  const total = ofVendors.reduce<number | null>(
    (sum, { firstResultMs }) => (sum === null || firstResultMs === null ? null : sum + firstResultMs),
    0,
  );
  if (total === null || parts.length < 2 || ofVendors.length === 0) return "";
  return ofVendors.length < firsts.length
    ? operatorEnginesText.vendorsDelay(total)
    : operatorEnginesText.replyDelay(total);
}
