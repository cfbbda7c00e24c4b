import type { AgentTemplate } from "@parley/contract/agent-templates";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useWishKeys } from "../../../api/idempotency-keys.ts";
import { inWords } from "../../../api/refusal.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { FlowPicture } from "./flow-picture.tsx";
import { createFromTemplate, templatesQuery } from "./template-queries.ts";

interface TemplateGalleryProps {
  /** What becomes of the chosen one. Default: an agent is made from it and opened in the builder. */
  onChoose?(template: AgentTemplate): void;
}

/** Agents to begin with, each with a picture of its flow. */
export function TemplateGallery({ onChoose }: TemplateGalleryProps) {
  const { data: templates, error } = useQuery(templatesQuery);
  const creation = useCreation();
  const choose = onChoose ?? creation.mutate;
  if (error) return <Notice tone="danger">{inWords(error)}</Notice>;
  return (
    <div className="space-y-3">
      {creation.error ? <Notice tone="danger">{inWords(creation.error)}</Notice> : null}
      <ul aria-label="Templates" className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
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
  const keyOf = useWishKeys();
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
  return (
    <button
      type="button"
      aria-disabled={isDisabled}
      aria-busy={isBusy}
      onClick={() => (isDisabled ? undefined : onChoose())}
      className="flex size-full flex-col overflow-hidden rounded-2xl border border-line bg-surface text-left transition hover:border-accent aria-disabled:opacity-55"
    >
      <span className="block h-32 w-full border-b border-line bg-canvas p-3">
        <FlowPicture flow={template.flow} label={`The flow of ${template.name}`} />
      </span>
      <span className="flex flex-1 flex-col gap-1 p-4">
        <span className="font-medium">{template.name}</span>
        <span className="line-clamp-2 text-sm text-ink-soft">{firstSentence(template.description)}</span>
        <span className="mt-auto flex flex-wrap gap-1.5 pt-2">
          <Badge>{template.scenarios.length} scenarios</Badge>
          {template.needsModel ? <Badge tone="warning">Needs a language model</Badge> : null}
        </span>
      </span>
    </button>
  );
}

/** Descriptions go on to what programs need to know. */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
