import type { ApiKey } from "@parley/contract/api-keys";
import { revokeApiKey } from "@parley/contract/routes/members";
import { SCOPES } from "@parley/contract/scopes";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { keysQuery } from "./key-queries.ts";

/** Settings > Developer: the API keys of programs. */
export function DeveloperPage() {
  const keys = useInfiniteQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const rows = keys.data?.pages.flatMap((page) => page.rows) ?? [];
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      Create New API Key
    </Button>
  );
  return (
    <Page
      title="Developer"
      lead="Programs use keys to place calls and read their results."
      actions={rows.length > 0 ? create : null}
    >
      {keys.error ? <Notice tone="danger">{errorText(keys.error)}</Notice> : null}
      <Card title="API keys" isFlush>
        {keys.isPending ? <SkeletonRows count={3} label="Loading the keys" /> : null}
        {keys.isSuccess && rows.length === 0 ? (
          <EmptyState
            icon={<KeyRound />}
            title="No keys yet"
            text="A test key dials the simulated network and costs nothing. A live key dials for real."
            action={create}
          />
        ) : null}
        {rows.length > 0 ? <KeyList keys={rows} onRevoke={setRevoked} /> : null}
        {keys.hasNextPage ? (
          <div className="p-4 text-center">
            <Button onClick={() => void keys.fetchNextPage()} isBusy={keys.isFetchingNextPage}>
              Show more
            </Button>
          </div>
        ) : null}
      </Card>
      {isCreating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
      {revoked ? <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} /> : null}
    </Page>
  );
}

interface KeyListProps {
  readonly keys: readonly ApiKey[];
  onRevoke(key: ApiKey): void;
}

function KeyList({ keys, onRevoke }: KeyListProps) {
  return (
    <ul className="mt-2 divide-y divide-line border-t border-line">
      {keys.map((key) => (
        <li key={key.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <div className="min-w-0 flex-1 basis-64">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium break-words">{key.name}</span>
              <Badge tone={key.mode === "live" ? "accent" : "neutral"}>{key.mode === "live" ? "Live" : "Test"}</Badge>
              {key.revokedAt ? <Badge tone="danger">Revoked</Badge> : null}
              {isExpired(key) ? <Badge tone="warning">Expired</Badge> : null}
            </p>
            <p className="mt-0.5 font-mono text-[0.8125rem] text-ink-soft">
              {key.prefix}…{key.lastFour}
            </p>
          </div>
          <p className="min-w-0 text-sm text-ink-soft sm:w-64">
            <span className="block">{usedWhen(key)}</span>
            <span className="block truncate">{mayDo(key)}</span>
          </p>
          {key.revokedAt ? (
            <span className="ml-auto text-sm text-ink-soft" title={formatFull(key.revokedAt)}>
              {formatMoment(key.revokedAt)}
            </span>
          ) : (
            <Button size="small" className="ml-auto" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function isExpired({ expiresAt, revokedAt }: ApiKey): boolean {
  return revokedAt === null && expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

function usedWhen({ lastUsedAt, createdAt }: ApiKey): string {
  return lastUsedAt ? `Last used ${formatMoment(lastUsedAt)}` : `Never used, created ${formatMoment(createdAt)}`;
}

function mayDo({ scopes, expiresAt, allowedIps, dailySpendCap }: ApiKey): string {
  return [
    scopes.length === SCOPES.length ? "All scopes" : `${scopes.length} of ${SCOPES.length} scopes`,
    expiresAt ? `until ${formatMoment(expiresAt)}` : null,
    allowedIps.length > 0 ? `from ${allowedIps.join(", ")}` : null,
    dailySpendCap ? `$${dailySpendCap} a day` : null,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  onClose(): void;
}

/** Asks before a key is revoked: it cannot be undone. */
function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(revokeApiKey, { params: { id: apiKey.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries(keysQuery);
      toast({ text: `“${apiKey.name}” was revoked.` });
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      lead="Programs that use it are refused within a second. This cannot be undone. Calls in progress continue."
    >
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" onClick={() => mutate()} isBusy={isPending}>
          Revoke the key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
