import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Page } from "../../api/send.ts";
import { LoadError } from "../feedback/notice.tsx";
import { SkeletonRows } from "../feedback/skeleton.tsx";
import { Button } from "../forms/button.tsx";
import { uiText } from "../text.ts";

interface PagedListProps<Row> {
  readonly list: UseInfiniteQueryResult<InfiniteData<Page<Row>, unknown>>;
  /** What is being loaded, announced to screen readers. */
  readonly label: string;
  /** Shown when the list is empty. */
  readonly empty: ReactNode;
  children(rows: readonly Row[]): ReactNode;
}

/** A paged list in all its states: loading, failed, empty, loaded, and with more pages. */
export function PagedList<Row>({ list, label, empty, children }: PagedListProps<Row>) {
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      {list.error ? (
        <div className="p-4">
          <LoadError error={list.error} onRetry={() => list.refetch()} />
        </div>
      ) : null}
      {list.isPending ? <SkeletonRows count={4} label={label} /> : null}
      {list.isSuccess && rows.length === 0 ? empty : null}
      {rows.length > 0 ? children(rows) : null}
      {list.hasNextPage ? (
        <div className="border-t border-line p-4 text-center">
          <Button onClick={() => void list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
            {uiText.showMore}
          </Button>
        </div>
      ) : null}
    </>
  );
}
