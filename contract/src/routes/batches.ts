import { z } from "zod";
import { Batch, BatchCheck, BatchCheckRequest, BatchQuery, BatchRow, BatchRowQuery, NewBatch } from "../batches.ts";
import { idSchema } from "../ids.ts";
import { DOCUMENT_BODY_LIMIT_BYTES, defineRoute } from "../route.ts";

const BatchParams = z.strictObject({ id: idSchema("batch") });
const read = { by: "key_or_member", scope: "calls:read" } as const;
const write = { by: "key_or_member", scope: "calls:write" } as const;
const tag = "Batches";

export const createBatch = defineRoute({
  id: "createBatch",
  method: "POST",
  path: "/api/v1/batches",
  tag,
  summary: "Place calls to a list of up to 1,000 numbers, each at most once",
  access: write,
  body: NewBatch,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: Batch,
  idempotent: true,
  errors: ["agent_not_found", "agent_not_published", "engine_unavailable", "engine_unknown"],
});

export const checkBatch = defineRoute({
  id: "checkBatch",
  method: "POST",
  path: "/api/v1/batches/check",
  tag,
  summary: "Check up to 200 rows of a list: numbers, variables and whether they may be called now; nothing is stored",
  access: read,
  body: BatchCheckRequest,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: BatchCheck,
  errors: ["agent_not_found", "agent_not_published", "engine_unavailable", "engine_unknown"],
});

export const listBatches = defineRoute({
  id: "listBatches",
  method: "GET",
  path: "/api/v1/batches",
  tag,
  summary: "List batches, newest first",
  access: read,
  query: BatchQuery,
  data: Batch,
  paged: true,
});

export const getBatch = defineRoute({
  id: "getBatch",
  method: "GET",
  path: "/api/v1/batches/{id}",
  tag,
  summary: "Get a batch and how far it is",
  access: read,
  params: BatchParams,
  data: Batch,
  errors: ["not_found"],
});

export const listBatchRows = defineRoute({
  id: "listBatchRows",
  method: "GET",
  path: "/api/v1/batches/{id}/rows",
  tag,
  summary: "List the rows of a batch with their calls",
  access: read,
  params: BatchParams,
  query: BatchRowQuery,
  data: BatchRow,
  paged: true,
  errors: ["not_found"],
});

export const exportBatchResults = defineRoute({
  id: "exportBatchResults",
  method: "GET",
  path: "/api/v1/batches/{id}/results.csv",
  tag,
  summary: "Get the results of a batch as CSV, one line per row",
  access: read,
  params: BatchParams,
  data: z.string(),
  alsoProduces: ["text/csv"],
  producesJson: false,
  errors: ["not_found"],
});

const change = {
  method: "POST",
  tag,
  access: write,
  params: BatchParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: Batch,
  idempotent: true,
  errors: ["not_found", "invalid_state"],
} as const;

export const pauseBatch = defineRoute({
  ...change,
  id: "pauseBatch",
  path: "/api/v1/batches/{id}/pause",
  summary: "Pause a batch; calls that were placed go on",
});

export const resumeBatch = defineRoute({
  ...change,
  id: "resumeBatch",
  path: "/api/v1/batches/{id}/resume",
  summary: "Continue a paused batch",
});

export const cancelBatch = defineRoute({
  ...change,
  id: "cancelBatch",
  path: "/api/v1/batches/{id}/cancel",
  summary: "Cancel the rows of a batch that were not placed; calls that were placed go on",
});
