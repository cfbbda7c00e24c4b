import { endOtherSessions, endSession, listSessions } from "@parley/contract/routes/sign-in-security";
import type { SignInSession } from "@parley/contract/sign-in-security";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { pagesOf, send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { securityText } from "./text.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** Settings > Security: the second factor, and where the member is signed in. */
export function SecurityPage() {
  return (
    <Page title={securityText.security} lead={securityText.lead}>
      <div className="space-y-5">
        <TwoFactor />
        <Sessions />
      </div>
    </Page>
  );
}

const sessionsQuery = pagesOf(["sessions"], listSessions);

/** Where the member is signed in. Each session but this one can be ended from here. */
function Sessions() {
  const sessions = useInfiniteQuery(sessionsQuery);
  const [isEndingOthers, setEndingOthers] = useState(false);
  const hasOthers = sessions.data?.pages.some(({ rows }) => rows.some(({ isCurrent }) => !isCurrent)) ?? false;
  return (
    <Card
      title={securityText.sessions}
      isFlush
      aside={
        hasOthers ? (
          <Button size="small" onClick={() => setEndingOthers(true)}>
            {securityText.endAllOthers}
          </Button>
        ) : null
      }
    >
      <p className="px-4 pb-2 text-sm text-ink-soft sm:px-5">{securityText.sessionsLead}</p>
      <PagedList
        list={sessions}
        label={securityText.loadingSessions}
        empty={
          <EmptyState icon={<MonitorSmartphone />} title={securityText.noSession} text={securityText.emptySessions} />
        }
      >
        {(rows) => (
          <ul aria-label={securityText.sessions} className="divide-y divide-line">
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </PagedList>
      {isEndingOthers ? <EndOthersDialog onClose={() => setEndingOthers(false)} /> : null}
    </Card>
  );
}

function SessionRow({ session }: { readonly session: SignInSession }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(endSession, { params: { id: session.id } }),
    onSuccess: () => toast({ text: securityText.sessionEnded(session.device) }),
    onError: (error) => toast({ text: errorText(error) }),
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere" title={session.userAgent ?? undefined}>
            {session.device}
          </span>
          {session.isCurrent ? <Badge tone="accent">{securityText.thisDevice}</Badge> : null}
        </p>
        <p className="text-sm text-ink-soft">
          {securityText.sessionTimes(
            session.ip ?? securityText.unknownAddress,
            <time dateTime={session.createdAt}>{formatMoment(session.createdAt)}</time>,
            <time dateTime={session.lastSeenAt}>{formatMoment(session.lastSeenAt)}</time>,
          )}
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button onClick={() => mutate()} isBusy={isPending} aria-label={securityText.endSession(session.device)}>
          {securityText.end}
        </Button>
      )}
    </li>
  );
}

function EndOthersDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(endOtherSessions),
    onSuccess: async ({ endedCount }) => {
      toast({ text: securityText.sessionsEnded(endedCount) });
      onClose();
      await queries.invalidateQueries(sessionsQuery);
    },
  });
  return (
    <ConfirmDialog
      title={securityText.endOthersQuestion}
      lead={securityText.endOthersConsequence}
      keep={securityText.keepThem}
      confirm={securityText.endAllOthers}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
