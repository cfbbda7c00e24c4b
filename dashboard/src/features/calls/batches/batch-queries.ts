import type { Batch } from "@parley/contract/batches";
import * as routes from "@parley/contract/routes/batches";
import type { Mode } from "@parley/contract/shared-fields";
import { queryOptions } from "@tanstack/react-query";
import { pagesOf, send } from "../../../api/send.ts";
import { BATCHES_KEY } from "../../../app/live-keys.ts";
import { batchesText } from "./text.tsx";

export const batchesQuery = (mode: Mode) => pagesOf([...BATCHES_KEY, mode, "list"], routes.listBatches, { mode });

export const batchQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...BATCHES_KEY, mode, id, "record"],
    queryFn: ({ signal }) => send(routes.getBatch, { params: { id }, mode, signal }),
  });

export const batchRowsQuery = (mode: Mode, id: string) =>
  pagesOf([...BATCHES_KEY, mode, id, "rows"], routes.listBatchRows, { params: { id }, mode });

export const BATCH_STATUS_LABELS: Readonly<Record<Batch["status"], string>> = batchesText.batchStatus;

/** The share of rows that need nothing more, from 0 to 1. */
export function progressOf({ counts }: Pick<Batch, "counts">): number {
  const { rows, completed, failed, refused, canceled } = counts;
  return rows === 0 ? 1 : (completed + failed + refused + canceled) / rows;
}
