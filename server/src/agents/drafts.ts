import type { AgentChanges, FlowCheck, FlowWarning } from "@parley/contract/agents";
import { AppError, type ErrorDetail } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { type CompiledFlow, compileFlow } from "@parley/flow/compile";
import type { NoteParts } from "@parley/flow/problem";
import { needsModel } from "@parley/flow/warnings";
import type { Database, Tx } from "../platform/database/database.ts";
import { type Actor, actorId } from "../platform/http/authenticate.ts";
import { type AgentRow, findAgentRow, findEditorName, lockAgentRow, pointAgentAt, updateDraft } from "./agent-store.ts";
import type { ChosenVersion } from "./find-published-agent.ts";
import { type CompileContext, heldFlow, readSubFlows } from "./sub-flows.ts";
import { unknownAgent } from "./unknown-agent.ts";
import { findTrialVersion, insertNextVersion, insertTrialVersion, type VersionRow } from "./version-store.ts";
import { refuseUnknownVoice } from "./voices/known-voices.ts";

/** Changes the draft, provided that the revision the caller saw is still the current one. */
export async function changeDraft(
  db: Database,
  accountId: string,
  agentId: string,
  ifMatch: string | undefined,
  changes: AgentChanges,
  actor: Actor | null,
): Promise<AgentRow> {
  const revision = readRevision(ifMatch);
  const editorId = actor && actorId(actor);
  const changed = revision === null ? null : await updateDraft(db, accountId, agentId, revision, changes, editorId);
  if (changed) return changed;
  const current = await findAgentRow(db, accountId, agentId);
  if (!current) throw unknownAgent();
  throw await draftConflict(db, current, ifMatch, editorId);
}

/** Says that the draft is another than the caller saw, and by whom they were overtaken: it may have been themselves. */
export async function draftConflict(
  db: Database,
  current: Pick<AgentRow, "id" | "revision" | "updated_by">,
  ifMatch: string | undefined,
  callerId: string | null,
): Promise<AppError> {
  const detail = await describeEditor(db, current, callerId);
  return new AppError("draft_conflict", explainConflict(ifMatch, readRevision(ifMatch), current.revision), {
    param: "If-Match",
    ...(detail === null ? {} : { details: [{ param: "If-Match", ...detail }] }),
  });
}

async function describeEditor(
  db: Database,
  { id, updated_by: editorId }: Pick<AgentRow, "id" | "updated_by">,
  callerId: string | null,
): Promise<Omit<ErrorDetail, "param"> | null> {
  if (editorId !== null && editorId === callerId) {
    return { code: "changed_by_you", message: "You made the last change yourself, in another window or program." };
  }
  const editor = await findEditorName(db, id);
  return editor === null ? null : { code: "changed_by", message: `The last change was made by ${editor}.` };
}

function explainConflict(ifMatch: string | undefined, revision: number | null, current: number): string {
  if (ifMatch === undefined) return `Send the revision you saw as If-Match; the draft is at revision ${current}.`;
  if (revision === null) return `If-Match must carry a revision such as "${current}", which the draft is at now.`;
  return `The draft is at revision ${current}, not ${revision}; read it again before you change it.`;
}

/** Everything that keeps a flow from being published, and what will affect calls to it. */
export function checkFlow(flow: Flow, modelNames: readonly string[], context?: CompileContext): FlowCheck {
  const result = compileFlow(flow, { modelNames, ...context });
  return { problems: result.ok ? [] : result.problems.map(toDetail), warnings: result.warnings.map(toDetail) };
}

/** A part may be a whole text of the flow, which the client has; its beginning shows which. */
const PART_LENGTH_MAX = 500;

function toDetail<Code extends string>({ path, code, message, parts }: FoundInFlow<Code>) {
  const short = Object.entries(parts ?? {}).map(([name, part]) => [name, part.slice(0, PART_LENGTH_MAX)]);
  return { param: `flow.${path}`, code, message, ...(parts === undefined ? {} : { parts: Object.fromEntries(short) }) };
}

interface FoundInFlow<Code extends string> {
  readonly path: string;
  readonly code: Code;
  readonly message: string;
  readonly parts?: NoteParts;
}

export interface PublishOptions {
  readonly note: string;
  /** Of the language models that are configured. */
  readonly modelNames: readonly string[];
}

/** Publishes the draft as the next version, which new calls use from then on. The agent's row must be locked. */
export async function publishAgent(
  tx: Tx,
  agent: AgentRow,
  { note, modelNames }: PublishOptions,
): Promise<{ readonly version: VersionRow; readonly warnings: FlowWarning[] }> {
  const context = await readSubFlows(tx, agent.account_id, agent.id, agent.flow);
  const { warnings } = compileOrRefuse(agent.flow, modelNames, "The flow cannot be published.", context);
  refuseUnknownVoice(agent.flow);
  const version = await insertNextVersion(tx, agent, heldFlow(agent.flow, context), note);
  await pointAgentAt(tx, agent.id, version.version, agent.revision);
  return { version, warnings };
}

export interface Compiled {
  readonly plan: CompiledFlow;
  readonly warnings: FlowWarning[];
}

/**
 * Throws 422 with one detail for each thing that keeps the flow from being held as a conversation. Warns by the names of the
 * language models that are configured.
 */
export function compileOrRefuse(
  flow: Flow,
  modelNames: readonly string[],
  whatFails: string,
  context?: CompileContext,
): Compiled {
  const result = compileFlow(flow, { modelNames, ...context });
  if (result.ok) {
    return { plan: result.plan, warnings: result.warnings.map(toDetail) };
  }
  const details: ErrorDetail[] = result.problems.map(toDetail);
  throw new AppError("validation_failed", `${whatFails} ${details[0]?.message ?? ""}`.trim(), { details });
}

/**
 * Freezes the draft, or a document in its place, for calls that try it. It is not a version that anyone
 * published: it has a number below zero, no list shows it, and the same flow is kept once. Throws 422 where the flow cannot
 * be held as a conversation.
 */
export async function pinDraft(tx: Tx, accountId: string, agentId: string, document?: Flow): Promise<ChosenVersion> {
  const agent = await lockAgentRow(tx, accountId, agentId);
  if (!agent) throw unknownAgent();
  const flow = document ?? agent.flow;
  const context = await readSubFlows(tx, accountId, agentId, flow);
  compileOrRefuse(flow, [], "The draft cannot be called.", context);
  const { engine, language } = agent;
  const held = heldFlow(flow, context);
  const trial = { agentId, engine, language, flow, held };
  const version = (await findTrialVersion(tx, trial)) ?? (await insertTrialVersion(tx, trial));
  return { version, engine, language, needsModel: held.nodes.some(needsModel) };
}

/**
 * Reads the revision in `If-Match`: bare or quoted, optionally marked weak. Null when there is none to compare with.
 * RFC 9110 section 13.1.1 requires a quoted entity tag; people also send the number as they saw it in the body.
 */
export function readRevision(ifMatch: string | undefined): number | null {
  const match = /^(?:W\/)?(?:"(\d{1,9})"|(\d{1,9}))$/.exec(ifMatch?.trim() ?? "");
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? null : Number(digits);
}
