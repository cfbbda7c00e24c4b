import type { ApiKey } from "@parley/contract/api-keys";
import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { inWords } from "../../api/refusal.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyList } from "./key-list.tsx";
import { keysQuery } from "./key-queries.ts";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";

/** Settings > Developer: the keys by which programs use the API. */
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
      lead="Keys let your programs place calls and read what became of them."
      actions={rows.length > 0 ? create : null}
    >
      {keys.error ? <Notice tone="danger">{inWords(keys.error)}</Notice> : null}
      <Card title="API keys" isFlush>
        {keys.isPending ? <SkeletonRows count={3} label="Fetching the keys" /> : null}
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
