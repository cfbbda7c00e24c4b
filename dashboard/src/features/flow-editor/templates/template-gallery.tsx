import type { AgentTemplate } from "@parley/contract/agent-templates";
import type { Agent } from "@parley/contract/agents";
import type { Flow, FlowNode } from "@parley/contract/flow";
import { createAgent } from "@parley/contract/routes/agents";
import { importScenarios, listAgentTemplates } from "@parley/contract/routes/scenarios";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { useIdempotencyKeys } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { exitsOf } from "../model/exits.ts";
import { sizeOf } from "../model/layout/node-size.ts";
import type { NodePosition } from "../model/new-node.ts";
import { layoutAside } from "../problems/ask-worker.ts";
import { templatesText } from "./text.ts";

interface TemplateGalleryProps {
  /** What to do with the chosen template. Default: create an agent from it and open it in the builder. */
  onChoose?(template: AgentTemplate): void;
}

/** Template agents, each with a picture of its flow. */
export function TemplateGallery({ onChoose }: TemplateGalleryProps) {
  const { data: templates, error } = useQuery(templatesQuery);
  const creation = useCreation();
  const choose = onChoose ?? creation.mutate;
  if (error) return <Notice tone="danger">{errorText(error)}</Notice>;
  return (
    <div className="space-y-3">
      {creation.error ? <Notice tone="danger">{errorText(creation.error)}</Notice> : null}
      <ul
        aria-label={templatesText.templates}
        className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]"
      >
        {templates
          ? templates.map((template) => (
              <li key={template.id}>
                <TemplateCard
                  template={template}
                  isBusy={creation.isPending && creation.variables?.id === template.id}
                  isDisabled={creation.isPending}
                  onChoose={() => choose(template)}
                />
              </li>
            ))
          : Array.from({ length: 4 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike.
              <li key={index}>
                <Skeleton className="h-56 w-full rounded-2xl" />
              </li>
            ))}
      </ul>
    </div>
  );
}

function useCreation() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const keyOf = useIdempotencyKeys();
  return useMutation({
    mutationFn: (template: AgentTemplate) => createFromTemplate(template, keyOf(template.id)),
    onSuccess: async (agent) => {
      await queries.invalidateQueries({ queryKey: ["agents"] });
      await navigate({ to: "/agents/$agentId/build", params: { agentId: agent.id } });
    },
  });
}

interface TemplateCardProps {
  readonly template: AgentTemplate;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  onChoose(): void;
}

function TemplateCard({ template, isBusy, isDisabled, onChoose }: TemplateCardProps) {
  const name = templatesText.nameOf(template.id, template.name);
  const description = templatesText.descriptionOf(template.id, firstSentence(template.description));
  return (
    <button
      type="button"
      aria-disabled={isDisabled}
      aria-busy={isBusy}
      onClick={() => (isDisabled ? undefined : onChoose())}
      className="flex size-full flex-col overflow-hidden rounded-2xl border border-line bg-surface text-left transition hover:border-accent aria-disabled:opacity-55"
    >
      <span className="block h-32 w-full border-b border-line bg-canvas p-3">
        <FlowPicture flow={template.flow} label={templatesText.flowOf(name)} />
      </span>
      <span className="flex flex-1 flex-col gap-1 p-4">
        <span className="font-medium">{name}</span>
        <span className="line-clamp-2 text-sm text-ink-soft">{description}</span>
        <span className="mt-auto flex flex-wrap gap-1.5 pt-2">
          <Badge>{templatesText.scenarios(template.scenarios.length)}</Badge>
          {template.needsModel ? <Badge tone="warning">{templatesText.needsModel}</Badge> : null}
        </span>
      </span>
    </button>
  );
}

/** Descriptions continue with details for developers. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

const FILLS: Readonly<Partial<Record<FlowNode["type"], string>>> = {
  start: "fill-accent",
  ask: "fill-accent-soft stroke-accent",
  conversation: "fill-accent-soft stroke-accent",
  end: "fill-ink-soft",
};

/** A thumbnail of a flow, drawn from the flow itself. */
function FlowPicture({ flow, label }: { readonly flow: Flow; readonly label: string }) {
  const [places, setPlaces] = useState<ReadonlyMap<string, NodePosition>>(new Map());
  useEffect(() => {
    let isWanted = true;
    void layoutAside(flow).then((found) => (isWanted ? setPlaces(found) : undefined));
    return () => {
      isWanted = false;
    };
  }, [flow]);
  const { width, height, nodes, lines } = useMemo(() => drawFlow(flow, places), [flow, places]);
  if (places.size === 0) return null;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, width)} ${Math.max(1, height)}`}
      preserveAspectRatio="xMidYMid meet"
      className="size-full"
    >
      <g className="fill-none stroke-line-strong/70" strokeWidth={6}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one picture do not move.
          <path key={index} d={line} />
        ))}
      </g>
      {nodes.map(({ id, type, x, y, width: wide, height: high }) => (
        <rect
          key={id}
          x={x}
          y={y}
          width={wide}
          height={high}
          rx={24}
          strokeWidth={6}
          className={FILLS[type] ?? "fill-surface stroke-line-strong"}
        />
      ))}
    </svg>
  );
}

interface DrawnNode {
  readonly id: string;
  readonly type: FlowNode["type"];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface FlowDrawing {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly DrawnNode[];
  /** The SVG path of each line. */
  readonly lines: readonly string[];
}

const MARGIN = 24;

/** A small picture of a flow: its nodes and connections. */
export function drawFlow(flow: Flow, places: ReadonlyMap<string, NodePosition>): FlowDrawing {
  const laid = flow.nodes.map((node) => ({
    id: node.id,
    type: node.type,
    ...(places.get(node.id) ?? { x: 0, y: 0 }),
    ...sizeOf(node),
  }));
  const left = Math.min(...laid.map(({ x }) => x), 0);
  const top = Math.min(...laid.map(({ y }) => y), 0);
  const nodes = laid.map((node) => ({ ...node, x: node.x - left + MARGIN, y: node.y - top + MARGIN }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines = flow.nodes.flatMap((node) =>
    exitsOf(node).flatMap(({ to }) => {
      const [from, target] = [byId.get(node.id), to === undefined ? undefined : byId.get(to)];
      return from && target ? [lineBetween(from, target)] : [];
    }),
  );
  return {
    width: Math.max(...nodes.map(({ x, width }) => x + width), 0) + MARGIN,
    height: Math.max(...nodes.map(({ y, height }) => y + height), 0) + MARGIN,
    nodes,
    lines,
  };
}

function lineBetween(from: DrawnNode, to: DrawnNode): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

const templatesQuery = queryOptions({
  queryKey: ["agent-templates"],
  queryFn: ({ signal }) => send(listAgentTemplates, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Creates an agent from a template, with its scenarios. */
function createFromTemplate(template: AgentTemplate, idempotencyKey: string): Promise<Agent> {
  const { name, description, language, flow, scenarios } = template;
  return send(createAgent, { body: { name, description, language, flow, scenarios }, idempotencyKey });
}

/** Adds the scenarios of a template to an existing agent. */
export async function addScenarios(agentId: string, template: AgentTemplate, idempotencyKey: string): Promise<void> {
  const { scenarios } = template;
  await send(importScenarios, { params: { id: agentId }, body: { scenarios }, idempotencyKey });
}
