import type { CallEvent } from "@parley/contract/call-events";
import type { Call } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { MessagesSquare, PhoneOff, Route as RouteIcon } from "lucide-react";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { accountQuery } from "../../../api/sign-in-state.ts";
import { apiText } from "../../../api/text.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatTenths } from "../../../ui/figures.ts";
import { formatCountry, formatFull, formatUsd } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { MakeScenario } from "../../flow-editor/scenarios/make-scenario.tsx";
import { BackToCalls } from "../back-to-calls.tsx";
import { badgeOf, END_REASON_LABELS, EVENT_LABELS } from "../call-labels.ts";
import { callQuery, eventsQuery, transcriptQuery } from "../call-queries.ts";
import { ElapsedTime, elapsedSeconds, useNow } from "../elapsed-time.tsx";
import { callCheckQuery } from "../new-call/new-call-queries.ts";
import { callsText } from "../text.ts";
import { AnalysisCard } from "./analysis-card.tsx";
import { CallAgain, MoreActions } from "./call-actions.tsx";
import { CallDeliveries } from "./call-deliveries.tsx";
import { CallNotesCard } from "./call-notes.tsx";
import { CallSnippets } from "./call-snippets.tsx";
import { EngineParts } from "./engine-parts.tsx";
import { HangUp } from "./hang-up.tsx";
import { Incidents, Outcome } from "./outcome.tsx";
import { Player } from "./player.tsx";
import { LatencyPerTurn } from "./reply-delay.tsx";
import { callPageText } from "./text.tsx";
import { Transcript } from "./transcript.tsx";
import { useCallFlow } from "./use-call-flow.ts";
import { usePlayback } from "./use-playback.ts";

const route = getRouteApi("/signed-in/calls/$callId");

export function CallPage() {
  const { callId } = route.useParams();
  const { mode } = useMode();
  const { data: call, error } = useQuery(callQuery(mode, callId));
  if (call) return <ShownCall key={call.id} call={call} />;
  return (
    <Page title={callPageText.call} above={<BackToCalls />}>
      <div className="rounded-2xl border border-line bg-surface">
        {error ? <NoCall error={error} /> : <SkeletonRows count={6} label={callPageText.loadingCall} />}
      </div>
    </Page>
  );
}

function ShownCall({ call }: { readonly call: Call }) {
  const transcript = useQuery(transcriptQuery(call.mode, call.id));
  const { data: agents } = useQuery(agentsQuery);
  const { data: account } = useQuery(accountQuery);
  const flow = useCallFlow(call);
  const { atMs = null } = route.useSearch();
  const playback = usePlayback(atMs);
  const badge = badgeOf(call);
  const isLive = call.phase !== "ended";
  const items = transcript.data?.items ?? [];
  const agent = agents && (agents.find(({ id }) => id === call.agentId)?.name ?? call.agentId);
  return (
    <Page
      title={call.phoneNumber}
      above={<BackToCalls />}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
          <Badge tone={badge.tone} isLive={badge.isLive}>
            {badge.text}
          </Badge>
          {isLive ? <ElapsedTime call={call} /> : null}
          {call.waiting ? <span>{callsText.whyQueued(call.waiting)}</span> : null}
          {call.endReason ? <span>{END_REASON_LABELS[call.endReason]}</span> : null}
          {call.country ? <span>{formatCountry(call.country)}</span> : null}
          {agent ? <span>{agent}</span> : null}
          <time dateTime={call.createdAt}>{formatFull(call.createdAt)}</time>
        </span>
      }
      actions={
        <>
          {isLive ? <HangUp call={call} /> : <AfterCall call={call} />}
          <MoreActions call={call} />
        </>
      }
    >
      {call.mode === "live" && call.network === "simulated" && account?.liveNetwork === "trunks" ? (
        <div className="mb-5">
          <Notice tone="warning">{callPageText.liveCallSimulated}</Notice>
        </div>
      ) : null}
      <Incidents call={call} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0 space-y-5">
          <Player call={call} playback={playback} />
          <Card isFlush>
            <Tabs
              label={callPageText.aboutThisCall}
              tabs={[
                {
                  id: "transcript",
                  label: callPageText.transcript,
                  content: transcript.data ? (
                    <Transcript
                      items={items}
                      flow={flow}
                      incidents={call.incidents}
                      isLive={isLive}
                      playback={playback}
                    />
                  ) : transcript.error ? (
                    <TranscriptFailure error={transcript.error} onRetry={() => void transcript.refetch()} />
                  ) : (
                    <SkeletonRows count={6} label={callPageText.loadingTranscript} />
                  ),
                },
                { id: "timeline", label: callPageText.timeline, content: <Timeline call={call} /> },
                {
                  id: "latency",
                  label: callPageText.latency,
                  content: <LatencyPerTurn latency={call.latency} incidents={call.incidents} items={items} />,
                },
                { id: "engine", label: callPageText.engine, content: <EngineParts parts={call.engineParts} /> },
                { id: "webhooks", label: callPageText.webhooks, content: <CallDeliveries call={call} /> },
              ]}
            />
          </Card>
          <CallSnippets call={call} />
        </div>
        <div className="min-w-0 space-y-5">
          <AnalysisCard call={call} />
          <Outcome call={call} />
          <Collected collected={call.collected} />
          <CallNotesCard call={call} />
          <CostLines call={call} />
        </div>
      </div>
    </Page>
  );
}

function TranscriptFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title={callPageText.transcriptFailed}
      text={errorText(error)}
      action={<Button onClick={onRetry}>{callPageText.tryAgain}</Button>}
    />
  );
}

/** What can be created from a call that is over. */
export function AfterCall({ call }: { readonly call: Call }) {
  return (
    <>
      <CallAgain call={call} />
      {call.answeredAt ? (
        <>
          <MakeScenario callId={call.id} mode={call.mode} />
          <PathLink call={call} />
        </>
      ) : null}
    </>
  );
}

/** To the agent, with the nodes this call came to. */
function PathLink({ call }: { readonly call: Call }) {
  return (
    <Link
      to="/agents/$agentId/build"
      params={{ agentId: call.agentId }}
      search={{ call: call.id }}
      className={buttonClass()}
    >
      <RouteIcon aria-hidden="true" />
      {callPageText.seePath}
    </Link>
  );
}

function NoCall({ error }: { readonly error: unknown }) {
  const { mode, chooseMode } = useMode();
  if (!(error instanceof ApiError) || error.code !== "call_not_found")
    return <EmptyState icon={<PhoneOff />} title={callPageText.callNotFetched} text={errorText(error)} />;
  const other = mode === "test" ? "live" : "test";
  return (
    <EmptyState
      icon={<PhoneOff />}
      title={callPageText.noSuchCall(mode)}
      text={callPageText.noSuchCallHint}
      action={<Button onClick={() => chooseMode(other)}>{callPageText.lookAmong(other)}</Button>}
    />
  );
}

/** What the agent collected. */
function Collected({ collected }: { readonly collected: Call["collected"] }) {
  const entries = Object.entries(collected ?? {});
  if (entries.length === 0) return null;
  return (
    <Card title={callPageText.collected}>
      <Facts facts={entries.map(([name, value]) => ({ name: name.replaceAll("_", " "), value: inText(value) }))} />
    </Card>
  );
}

function inText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "–" : JSON.stringify(value);
}

function CostLines({ call }: { readonly call: Call }) {
  const { cost, mode } = call;
  if (!cost) return mode === "test" ? null : <CostSoFar call={call} />;
  return (
    <Card title={callPageText.cost} aside={<span className="font-semibold tabular-nums">{formatUsd(cost.total)}</span>}>
      {cost.lines.length === 0 ? (
        <p className="text-sm text-ink-soft">
          {mode === "test" ? callPageText.testCallsAreFree : callPageText.nothingCharged}
        </p>
      ) : (
        <>
          {cost.charged ? null : <p className="mb-3 text-sm text-ink-soft">{callPageText.notCharged}</p>}
          <Facts
            facts={cost.lines.map(({ item, seconds, perMinute, amount }) => ({
              name: callPageText.costItem(item),
              value: (
                <>
                  {formatUsd(amount)}
                  <span className="block text-xs text-ink-soft">
                    {callPageText.costLine(seconds, formatUsd(perMinute))}
                  </span>
                </>
              ),
            }))}
          />
        </>
      )}
    </Card>
  );
}

/** What a live call has cost by now, by today's price of its number. */
function CostSoFar({ call }: { readonly call: Call }) {
  const { data: check } = useQuery(callCheckQuery(call.mode, call.phoneNumber, call.engine));
  const nowMs = useNow(call.phase === "talking");
  const seconds = call.answeredAt ? elapsedSeconds(call, nowMs) : null;
  const perMinute = check?.price?.charged ? check.price.totalPerMinute : null;
  return (
    <Card title={callPageText.cost}>
      <p className="text-sm text-ink-soft">
        {perMinute !== null && seconds !== null
          ? callPageText.costSoFar(
              formatUsd(((Number(perMinute) * seconds) / 60).toFixed(4)),
              formatUsd(perMinute),
              (words) => <span className="font-semibold text-ink tabular-nums">{words}</span>,
            )
          : callPageText.costKnownLater}
      </p>
    </Card>
  );
}

/** What happened, with the time since the call was accepted. Speech is in the transcript and left out here. */
function Timeline({ call }: { readonly call: Call }) {
  const { data: events, error } = useQuery(eventsQuery(call.mode, call.id));
  if (error) return <Notice tone="danger">{errorText(error)}</Notice>;
  if (!events) return <SkeletonRows count={4} label={callPageText.loadingTimeline} />;
  const startedMs = Date.parse(call.createdAt);
  return (
    <ol className="space-y-0 px-4 py-4 text-sm sm:px-5">
      {events
        .filter(({ type }) => type !== "call.transcript_extended")
        .map((event) => (
          <li key={event.sequence} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3">
            <time dateTime={event.createdAt} className="py-1.5 text-right text-ink-soft tabular-nums">
              {formatSince(Date.parse(event.createdAt) - startedMs)}
            </time>
            <span className="relative border-l border-line py-1.5 pl-5 before:absolute before:top-3.5 before:-left-[4.5px] before:size-2 before:rounded-full before:bg-accent">
              <span className="block">{EVENT_LABELS[event.type]}</span>
              <Detail event={event} />
            </span>
          </li>
        ))}
    </ol>
  );
}

function Detail({ event }: { readonly event: CallEvent }) {
  // The request's fields are already on the page.
  if (event.type === "call.initiated") return null;
  if (event.type === "call.incident") {
    const { what, effect, reason } = event.data as Pick<Incident, "what" | "effect" | "reason">;
    return (
      <span className="block text-xs break-words text-ink-soft">{`${callsText.incidentEffect({ what, effect })} ${apiText.wordSentence(reason)}`}</span>
    );
  }
  const told = Object.entries(event.data).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? [`${callPageText.eventField(name)}: ${callPageText.eventValue(name, value)}`]
      : [],
  );
  return told.length > 0 ? <span className="block text-xs break-words text-ink-soft">{told.join(" · ")}</span> : null;
}

function formatSince(ms: number): string {
  return `+${formatTenths(Math.max(0, ms) / 1000)} s`;
}
