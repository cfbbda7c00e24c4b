import { getSharedCall } from "@parley/contract/routes/calls";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Link2Off } from "lucide-react";
import { ApiError, errorText } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { formatClock, formatFull } from "../../ui/format.ts";
import { Page } from "../../ui/layout/page.tsx";
import { END_REASON_LABELS } from "./call-labels.ts";
import { callsText } from "./text.ts";

const route = getRouteApi("/shared-call");

/** A call as the holder of a link sees it, without an account. */
export function SharedCallPage() {
  const { token = "" } = route.useSearch();
  const { data: call, error } = useQuery({
    queryKey: ["shared-call", token],
    queryFn: ({ signal }) => send(getSharedCall, { query: { token }, signal }),
    retry: false,
    // The link to the recording is short-lived, and playing it must not be cut off by a new one.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!call) {
    return (
      <main>
        <Page title={callsText.sharedCall}>
          <div className="rounded-2xl border border-line bg-surface">
            {error ? (
              <EmptyState
                icon={<Link2Off />}
                title={callsText.linkInvalid}
                text={
                  error instanceof ApiError && error.code === "not_found" ? callsText.linkInvalidHint : errorText(error)
                }
              />
            ) : (
              <SkeletonRows count={4} label={callsText.loadingCall} />
            )}
          </div>
        </Page>
      </main>
    );
  }
  return (
    <main>
      <Page
        title={callsText.callTo(call.phoneNumber)}
        lead={
          <span className="text-sm">
            {[
              call.agentName,
              formatFull(call.createdAt),
              ...(call.durationSeconds === null ? [] : [formatClock(call.durationSeconds)]),
              ...(call.endReason ? [END_REASON_LABELS[call.endReason]] : []),
            ].join(" · ")}
          </span>
        }
      >
        {call.recordingUrl ? (
          // biome-ignore lint/a11y/useMediaCaption: the transcript is below it.
          <audio
            controls
            preload="metadata"
            src={call.recordingUrl}
            aria-label={callsText.recording}
            className="mb-5 w-full"
          />
        ) : null}
        <div className="rounded-2xl border border-line bg-surface px-4 py-4 sm:px-5">
          {call.transcript.length === 0 ? (
            <p className="text-sm text-ink-soft">{callsText.nothingSaid}</p>
          ) : (
            <ol aria-label={callsText.transcript} className="space-y-3">
              {call.transcript.map(({ role, text, startMs }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places.
                <li key={index} className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-3 text-sm">
                  <span className="text-ink-soft tabular-nums">{formatClock(startMs / 1000)}</span>
                  <span>
                    <span className="font-medium">{role === "agent" ? callsText.agent : callsText.callee}: </span>
                    {text}
                  </span>
                </li>
              ))}
            </ol>
          )}
        </div>
        <p className="mt-4 text-sm text-ink-soft">{callsText.linkWorksUntil(formatFull(call.expiresAt))}</p>
      </Page>
    </main>
  );
}
