import type { LiveCall } from "@parley/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneCall } from "lucide-react";
import type { ReactNode } from "react";
import { errorText } from "../../api/api-error.ts";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { formatMoment } from "../../ui/format.ts";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { liveCallsQuery } from "./call-queries.ts";
import { ElapsedTime } from "./elapsed-time.tsx";
import { callsText } from "./text.ts";

const LANES = [
  { title: callsText.talking, phases: ["talking"] },
  { title: callsText.dialing, phases: ["dialing", "ringing"] },
  { title: callsText.waiting, phases: ["queued", "scheduled"] },
] as const;

/** The calls in progress, by how far they are, and what each of them waits for. */
export function LiveBoard({ emptyAction }: { readonly emptyAction: ReactNode }) {
  const { mode } = useMode();
  const { data, error } = useQuery(liveCallsQuery(mode));
  if (error && !data) return <Notice tone="danger">{errorText(error)}</Notice>;
  if (!data) {
    return (
      <div className="rounded-2xl border border-line bg-surface">
        <SkeletonRows count={4} label={callsText.loadingLiveCalls} />
      </div>
    );
  }
  if (data.calls.length === 0) {
    return (
      <div className="rounded-2xl border border-line bg-surface">
        <EmptyState
          icon={<PhoneCall />}
          title={callsText.noCallsInProgress}
          text={callsText.noCallsInProgressHint}
          action={emptyAction}
        />
      </div>
    );
  }
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-3">
        {LANES.map(({ title, phases }) => {
          const calls = data.calls.filter(({ call }) => phases.some((phase) => phase === call.phase));
          return (
            <section key={title} aria-label={title} className="min-w-0">
              <h2 className="mb-2 flex items-baseline gap-2 text-sm font-semibold">
                {title}
                <span className="font-normal text-ink-soft tabular-nums">{calls.length}</span>
              </h2>
              {calls.length === 0 ? (
                <p className="rounded-xl border border-dashed border-line px-4 py-6 text-center text-sm text-ink-soft">
                  {callsText.none}
                </p>
              ) : (
                <ul className="space-y-2">
                  {calls.map((live) => (
                    <BoardCard key={live.call.id} live={live} />
                  ))}
                </ul>
              )}
            </section>
          );
        })}
      </div>
      {data.total > data.calls.length ? (
        <p className="mt-4 text-sm text-ink-soft">{callsText.showingSome(data.calls.length, data.total)}</p>
      ) : null}
    </>
  );
}

function BoardCard({ live }: { readonly live: LiveCall }) {
  const { call, lastSpeech } = live;
  const { data: agents = [] } = useQuery(agentsQuery);
  const agent = agents.find(({ id }) => id === call.agentId)?.name ?? call.agentId;
  return (
    <li className="relative rounded-xl border border-line bg-surface px-4 py-3 hover:bg-sunken/60">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          to="/calls/$callId"
          params={{ callId: call.id }}
          className="truncate font-medium tabular-nums outline-offset-[-2px] after:absolute after:inset-0"
        >
          {call.phoneNumber}
        </Link>
        <span className="shrink-0 text-sm">
          <ElapsedTime call={call} />
        </span>
      </div>
      <p className="truncate text-sm text-ink-soft">{agent}</p>
      <p className="mt-2 text-sm">{waitsForInWords(live)}</p>
      {lastSpeech ? (
        <p className="mt-1 line-clamp-2 text-sm text-ink-soft">
          {lastSpeech.role === "agent" ? callsText.agent : callsText.callee}: {callsText.quoted(lastSpeech.text)}
        </p>
      ) : null}
    </li>
  );
}

/** What a call waits for, in a few words. */
function waitsForInWords({ call, waitsFor, request }: Pick<LiveCall, "call" | "waitsFor" | "request">): string {
  switch (waitsFor) {
    case "scheduled_time":
      return call.scheduledAt
        ? callsText.scheduledFor(formatMoment(call.scheduledAt))
        : callsText.waitingForCallingHours;
    case "dialing":
      return call.waiting ? callsText.whyQueued(call.waiting) : callsText.aboutToBeDialed;
    case "answer":
      return call.phase === "ringing" ? callsText.ringing : callsText.dialing;
    case "callee":
      return callsText.waitingForCallee;
    case "agent":
      return callsText.waitingForAgent;
    case "request":
      return callsText.waitingForRequest(String(request));
    case "transfer":
      return callsText.transferredToAPerson;
  }
}
