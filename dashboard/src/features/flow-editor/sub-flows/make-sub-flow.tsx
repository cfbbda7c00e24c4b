import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { createAgent, publishAgent } from "@parley/contract/routes/agents";
import { type CutOut, type CutRefusal, cutOut } from "@parley/flow/sub-flows/cut-out";
import type { SubFlows } from "@parley/flow/sub-flows/sub-flow";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { useIdempotencyKeys } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { toName } from "../fields/plain-fields.tsx";
import { COMMENT, type EditorStore, type UndoOffer } from "../model/editor-store.ts";
import { withNodesOfGroups } from "../model/groups.ts";
import { freeId } from "../model/new-node.ts";
import { titleOf } from "../model/node-kinds.ts";
import { wordNotes } from "../problems/word-notes.ts";
import { useSubFlows } from "./load-sub-flows.ts";
import { subFlowsText } from "./text.ts";

interface MakeSubFlowDialogProps {
  readonly agent: Agent;
  readonly store: EditorStore;
  onDone(text: string, undo: UndoOffer | null): void;
  onClose(): void;
}

/** Turns the selection into an agent of its own, which one node of this flow uses from now on. */
export function MakeSubFlowDialog({ agent, store, onDone, onClose }: MakeSubFlowDialogProps) {
  const [{ flow, selection }] = useState(() => store.getSnapshot());
  const subFlows = useSubFlows(flow);
  return (
    <Dialog isOpen onClose={onClose} title={subFlowsText.makeTitle} lead={subFlowsText.makeLead}>
      {subFlows === null ? (
        <SkeletonRows count={2} label={subFlowsText.looking} />
      ) : (
        <MakeForm {...{ agent, store, flow, selection, subFlows, onDone, onClose }} />
      )}
    </Dialog>
  );
}

interface MakeFormProps extends MakeSubFlowDialogProps {
  readonly flow: Flow;
  readonly selection: readonly string[];
  readonly subFlows: SubFlows;
}

function MakeForm({ agent, store, flow, selection, subFlows, onDone, onClose }: MakeFormProps) {
  const queries = useQueryClient();
  const keyOf = useIdempotencyKeys();
  const [name, setName] = useState("");
  const nodeId = nodeIdFor(flow, name);
  const preview = useMemo(
    () => cutOut(flow, { ...chosenIn(flow, selection), nodeId, subFlows, agentId: agent.id }),
    [flow, selection, nodeId, subFlows, agent.id],
  );
  const make = useMutation({
    mutationFn: async ({ part, node, flow: rest }: CutOut) => {
      const { engine, language } = agent;
      const body = { name: name.trim(), engine, language, flow: part };
      const made = await send(createAgent, { body, idempotencyKey: keyOf(body) });
      const published = await send(publishAgent, {
        ...{ params: { id: made.id }, body: {}, ifMatch: made.revision, idempotencyKey: keyOf(made.id) },
      });
      const using = { ...node, label: name.trim().slice(0, 120), agentId: made.id, version: published.version };
      return { ...rest, nodes: rest.nodes.map((each) => (each.id === node.id ? using : each)) };
    },
    onSuccess: async (next, { node }) => {
      // The dialog keeps the page from changing the flow, but another member's draft may have been taken meanwhile.
      const isSame = store.getSnapshot().flow === flow;
      const undo = isSame ? store.edit(() => next) : null;
      if (isSame) store.goTo(node.id);
      onDone(isSame ? subFlowsText.made(name.trim()) : subFlowsText.madeButChanged(name.trim()), undo);
      onClose();
      await queries.invalidateQueries(agentsQuery);
    },
  });
  if (!preview.ok) {
    return (
      <div className="space-y-4">
        <Notice tone="warning">{wordRefusal(flow, preview)}</Notice>
        <DialogActions>
          <Button onClick={onClose}>{subFlowsText.close}</Button>
        </DialogActions>
      </div>
    );
  }
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "" && !make.isPending) make.mutate(preview);
      }}
    >
      {make.error ? <Notice tone="danger">{errorText(make.error)}</Notice> : null}
      <TextField
        label={subFlowsText.partName}
        hint={subFlowsText.partNameHint}
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Summary cut={preview} />
      <DialogActions>
        <Button onClick={onClose}>{subFlowsText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={make.isPending}>
          {subFlowsText.make}
        </Button>
      </DialogActions>
    </form>
  );
}

/** What will be in the sub-flow, what it needs and where it leads. */
function Summary({ cut: { part, node, nodeIds } }: { readonly cut: CutOut }) {
  const titles = part.nodes.filter(({ id }) => nodeIds.includes(id)).map(titleOf);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [subFlowsText.itsNodes, titles],
    [subFlowsText.inputs, part.variables],
    [subFlowsText.itsExits, node.exits.map(({ when }) => when)],
    [subFlowsText.saves, (node.saves ?? []).map(({ saveAs }) => saveAs)],
  ];
  return (
    <dl className="space-y-2 rounded-xl border border-line px-4 py-3 text-sm">
      {rows.map(([what, names]) =>
        names.length > 0 ? (
          <div key={what}>
            <dt className="text-ink-soft">{what}</dt>
            <dd className="break-words">{names.join(", ")}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** Whether there are nodes in the selection that could become a sub-flow, or a reason why they cannot. */
export function hasNodes(flow: Flow, selection: readonly string[]): boolean {
  const { nodeIds } = chosenIn(flow, selection);
  return flow.nodes.some(({ id }) => nodeIds.has(id));
}

function chosenIn(flow: Flow, selection: readonly string[]) {
  const all = withNodesOfGroups(flow, selection);
  const comments = all.filter((id) => id.startsWith(COMMENT)).map((id) => id.slice(COMMENT.length));
  return { nodeIds: new Set(all), commentIds: new Set(comments) };
}

/** Leaves room for the names inside, which have it before them. */
const ID_LENGTH_MAX = 20;

/** An id after the name of the new agent. Names inside begin with it, so no other may. */
function nodeIdFor(flow: Flow, name: string): string {
  const wanted = toName(name).slice(0, ID_LENGTH_MAX).replace(/_+$/, "");
  const stem = /^[a-z]/.test(wanted) ? wanted : "part";
  const text = JSON.stringify(flow);
  let id = freeId(flow, stem);
  for (let number = 2; text.includes(`${id}__`); number += 1) id = freeId(flow, `${stem}_${number}`);
  return id;
}

/** Why the selection cannot become a sub-flow, and what to do about it. */
function wordRefusal(flow: Flow, refusal: CutRefusal): string {
  const title = (id: string) => {
    const node = flow.nodes.find((each) => each.id === id);
    return node ? titleOf(node) : id;
  };
  switch (refusal.reason) {
    case "nothing":
      return subFlowsText.nothingToCut;
    case "start":
      return subFlowsText.startStays;
    case "voicemail":
      return subFlowsText.voicemailStays;
    case "no_entry":
      return subFlowsText.noEntry;
    case "global":
      return subFlowsText.globalStays(title(refusal.nodeId));
    case "many_entries":
      return subFlowsText.manyEntries(refusal.nodeIds.map(title));
    case "two_sources":
      return subFlowsText.twoSources(refusal.name);
    case "not_a_text":
      return subFlowsText.notText(refusal.name);
    case "too_many":
      return subFlowsText.tooMany[refusal.of](refusal.max);
    case "problem": {
      const [note] = wordNotes(refusal.flow, { problems: [refusal.problem], warnings: [] }).problems;
      return subFlowsText.hasProblem(note?.place ?? null, note?.message ?? refusal.problem.message);
    }
  }
}
