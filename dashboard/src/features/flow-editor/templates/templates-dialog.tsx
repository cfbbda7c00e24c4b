import type { AgentTemplate } from "@parley/contract/agent-templates";
import type { Flow } from "@parley/contract/flow";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWishKeys } from "../../../api/idempotency-keys.ts";
import { inWords } from "../../../api/refusal.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { scenarioKeys } from "../scenarios/scenario-queries.ts";
import { TemplateGallery } from "./template-gallery.tsx";
import { addScenarios } from "./template-queries.ts";

interface TemplatesDialogProps {
  readonly agentId: string;
  onTake(flow: Flow, name: string): void;
  onClose(): void;
}

/** Fills an agent that is empty from a template. Its scenarios come along. */
export function TemplatesDialog({ agentId, onTake, onClose }: TemplatesDialogProps) {
  const queries = useQueryClient();
  const keyOf = useWishKeys();
  const { mutate, error } = useMutation({
    mutationFn: (template: AgentTemplate) => addScenarios(agentId, template, keyOf(template.id)),
    onSuccess: async (_, { flow, name }) => {
      await queries.invalidateQueries({ queryKey: scenarioKeys.list(agentId) });
      onTake(flow, name);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} isWide title="Use a template" lead="A whole agent to begin with, and to change.">
      {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      <TemplateGallery onChoose={mutate} />
    </Dialog>
  );
}
