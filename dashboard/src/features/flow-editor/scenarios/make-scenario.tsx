import { createScenarioFromCall } from "@parley/contract/routes/scenarios";
import type { Mode } from "@parley/contract/shared-fields";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button, type ButtonLook } from "../../../ui/forms/button.tsx";
import { scenarioKeys } from "./scenario-queries.ts";
import { scenariosText } from "./text.tsx";

interface MakeScenarioProps {
  readonly callId: string;
  readonly mode: Mode;
  readonly size?: NonNullable<ButtonLook["size"]>;
}

/** Creates a scenario from a finished call, so that its course is tested whenever the agent changes. */
export function MakeScenario({ callId, mode, size = "medium" }: MakeScenarioProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => send(createScenarioFromCall, { params: { id: callId }, mode, body: {} }),
    onSuccess: async (scenario) => {
      await queries.invalidateQueries({ queryKey: scenarioKeys.list(scenario.agentId) });
      toast({ text: scenariosText.createdFromCall(scenario.name) });
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <Button size={size} isBusy={isPending} disabled={isSuccess} onClick={() => mutate()}>
      <BookmarkPlus aria-hidden="true" />
      {isSuccess ? scenariosText.created : scenariosText.createScenario}
    </Button>
  );
}
