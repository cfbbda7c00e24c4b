import type { Flow } from "@parley/contract/flow";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { innerName, type SubFlowInterface } from "@parley/flow/sub-flows/sub-flow";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { toName } from "../fields/plain-fields.tsx";
import { mayLeadTo } from "../model/edit-flow.ts";
import { withExit } from "../model/exits.ts";
import { titleOf } from "../model/node-kinds.ts";
import { interfaceQuery, loadInterface } from "./load-sub-flows.ts";
import { subFlowsText } from "./text.ts";

interface SubFlowFieldsProps {
  readonly flow: Flow;
  readonly node: SubFlowNode;
  /** The agent that is edited, which cannot be a part of itself. */
  readonly agentId: string;
  onChange(node: SubFlowNode): void;
}

/** Which flow a node uses, what it is given, and where the call goes on after it. */
export function SubFlowFields({ flow, node, agentId, onChange }: SubFlowFieldsProps) {
  const queries = useQueryClient();
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: offered } = useQuery(interfaceQuery(node));
  const usable = agents.filter(({ id, publishedVersion }) => id !== agentId && publishedVersion !== null);
  const used = agents.find(({ id }) => id === node.agentId);
  const newest = used?.publishedVersion ?? null;
  const choose = useMutation({
    async mutationFn(id: string) {
      const agent = agents.find((each) => each.id === id);
      if (!agent || agent.publishedVersion === null) return null;
      const found = await loadInterface(queries, id, agent.publishedVersion);
      return found && { agentId: id, agentName: agent.name, version: agent.publishedVersion, offered: found };
    },
    onSuccess: (chosen) => (chosen ? onChange(withVersion(node, chosen)) : undefined),
  });
  return (
    <div className="space-y-4">
      <SelectField
        label={subFlowsText.whichFlow}
        hint={subFlowsText.onlyPublished}
        value={node.agentId ?? ""}
        disabled={choose.isPending}
        onChange={({ target }) => choose.mutate(target.value)}
      >
        <option value="" disabled>
          {subFlowsText.chooseFlow}
        </option>
        {node.agentId !== undefined && !usable.some(({ id }) => id === node.agentId) ? (
          <option value={node.agentId}>{used?.name ?? subFlowsText.notListed}</option>
        ) : null}
        {usable.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {choose.isError ? <Notice tone="danger">{subFlowsText.couldNotLoad}</Notice> : null}
      {node.agentId !== undefined && node.version !== undefined ? (
        <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-soft">
          <span>{subFlowsText.version(node.version)}</span>
          <a
            href={`/agents/${node.agentId}/build`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1.5 text-accent-text underline"
          >
            {subFlowsText.open}
            <ExternalLink aria-hidden="true" className="size-4" />
          </a>
        </p>
      ) : null}
      {newest !== null && node.version !== undefined && node.version < newest ? (
        <Notice tone="warning">
          <p>{subFlowsText.newer(newest)}</p>
          <Button className="mt-2" onClick={() => choose.mutate(node.agentId ?? "")}>
            {subFlowsText.update(newest)}
          </Button>
        </Notice>
      ) : null}
      {offered && offered.inputs.length > 0 ? (
        <fieldset className="space-y-3 border-t border-line pt-4">
          <legend className="sr-only">{subFlowsText.inputs}</legend>
          <p aria-hidden="true" className="text-sm font-medium">
            {subFlowsText.inputs}
          </p>
          <p className="text-sm text-ink-soft">{subFlowsText.inputsHint}</p>
          {offered.inputs.map((name) => (
            <TextField
              key={name}
              label={name}
              maxLength={1000}
              spellCheck={false}
              className="font-mono text-[0.8125rem]"
              placeholder={`variables.${name}`}
              value={node.inputs?.find((input) => input.name === name)?.value ?? ""}
              onChange={({ target }) => onChange(withInput(node, name, target.value))}
            />
          ))}
        </fieldset>
      ) : null}
      {offered ? <Exits flow={flow} node={node} onChange={onChange} /> : null}
      {offered && offered.saves.length > 0 ? (
        <fieldset className="space-y-3 border-t border-line pt-4">
          <legend className="sr-only">{subFlowsText.saves}</legend>
          <p aria-hidden="true" className="text-sm font-medium">
            {subFlowsText.saves}
          </p>
          {offered.saves.map((name) => (
            <TextField
              key={name}
              label={name}
              hint={subFlowsText.savesHint(innerName(node.id, name))}
              maxLength={64}
              spellCheck={false}
              className="font-mono text-[0.8125rem]"
              value={node.saves?.find((saved) => saved.name === name)?.saveAs ?? ""}
              onChange={({ target }) => onChange(withSaved(node, name, toName(target.value)))}
            />
          ))}
        </fieldset>
      ) : null}
    </div>
  );
}

function Exits({ flow, node, onChange }: Pick<SubFlowFieldsProps, "flow" | "node" | "onChange">) {
  const targets = flow.nodes.filter(({ id }) => mayLeadTo(flow, id));
  return (
    <fieldset className="space-y-3 border-t border-line pt-4">
      <legend className="sr-only">{subFlowsText.exits}</legend>
      <p aria-hidden="true" className="text-sm font-medium">
        {subFlowsText.exits}
      </p>
      {node.exits.length === 0 ? <p className="text-sm text-ink-soft">{subFlowsText.noExits}</p> : null}
      {node.exits.map(({ when, next }, index) => (
        <SelectField
          key={when}
          label={when}
          value={next ?? ""}
          onChange={({ target }) =>
            onChange(withExit(node, `exits[${index}].next`, target.value || undefined) as SubFlowNode)
          }
        >
          <option value="">{subFlowsText.choose}</option>
          {targets.map((target) => (
            <option key={target.id} value={target.id}>
              {titleOf(target)}
            </option>
          ))}
        </SelectField>
      ))}
    </fieldset>
  );
}

interface ChosenFlow {
  readonly agentId: string;
  readonly agentName: string;
  readonly version: number;
  readonly offered: SubFlowInterface;
}

/** The node with another flow or version: its exits are those of the flow, connected as far as they were. */
export function withVersion(node: SubFlowNode, { agentId, agentName, version, offered }: ChosenFlow): SubFlowNode {
  const { inputs = [], saves = [], ...rest } = node;
  const label = node.agentId === agentId && node.label !== undefined ? node.label : agentName.slice(0, 120);
  const keptInputs = inputs.filter(({ name }) => offered.inputs.includes(name));
  const keptSaves = saves.filter(({ name }) => offered.saves.includes(name));
  return {
    ...rest,
    label,
    agentId,
    version,
    exits: offered.exits.map((when) => node.exits.find((exit) => exit.when === when) ?? { when }),
    ...(keptInputs.length > 0 ? { inputs: keptInputs } : {}),
    ...(keptSaves.length > 0 ? { saves: keptSaves } : {}),
  };
}

/** The node with an expression for a variable of its flow; an empty one is removed. */
export function withInput(node: SubFlowNode, name: string, value: string): SubFlowNode {
  const { inputs = [], ...rest } = node;
  const others = inputs.filter((input) => input.name !== name);
  const next = value === "" ? others : [...others, { name, value }];
  return next.length > 0 ? { ...rest, inputs: next } : rest;
}

/** The node with a name for what its flow collects; an empty one is removed. */
export function withSaved(node: SubFlowNode, name: string, saveAs: string): SubFlowNode {
  const { saves = [], ...rest } = node;
  const others = saves.filter((saved) => saved.name !== name);
  const next = saveAs === "" ? others : [...others, { name, saveAs }];
  return next.length > 0 ? { ...rest, saves: next } : rest;
}
