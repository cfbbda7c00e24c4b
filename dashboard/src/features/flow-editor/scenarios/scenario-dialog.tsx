import type { Flow } from "@parley/contract/flow";
import { changeScenario, createScenario } from "@parley/contract/routes/scenarios";
import type { NewScenario, Scenario } from "@parley/contract/scenarios";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { inWords } from "../../../api/refusal.ts";
import { send } from "../../../api/send.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { readSampleValues } from "../sample-values.ts";
import { ExpectationList } from "./expectation-list.tsx";
import { startScenario, whatIsMissing } from "./scenario-form.ts";
import { scenarioKeys } from "./scenario-queries.ts";
import { StepList } from "./step-list.tsx";
import { ToolReplyList } from "./tool-reply-list.tsx";

interface ScenarioDialogProps {
  readonly agentId: string;
  readonly flow: Flow;
  /** Null for a new one. */
  readonly scenario: Scenario | null;
  onClose(): void;
}

/** What the callee does and what must come of it. */
export function ScenarioDialog({ agentId, flow, scenario, onClose }: ScenarioDialogProps) {
  const queries = useQueryClient();
  const [edited, setEdited] = useState(() => startScenario(scenario, readSampleValues(agentId)));
  const set = (changes: Partial<NewScenario>) => setEdited({ ...edited, ...changes });
  const missing = whatIsMissing(edited);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      scenario
        ? send(changeScenario, { params: { id: scenario.id }, body: edited })
        : send(createScenario, { params: { id: agentId }, body: edited }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: scenarioKeys.list(agentId) });
      onClose();
    },
  });
  return (
    <Dialog isOpen isWide onClose={onClose} title={scenario ? "Edit scenario" : "New scenario"}>
      <form
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null) mutate();
        }}
      >
        {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
        <TextField
          label="Name"
          required
          maxLength={120}
          placeholder="Wants another day"
          value={edited.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <StepList steps={edited.steps} onChange={(steps) => set({ steps: [...steps] })} />
        <ExpectationList flow={flow} expect={edited.expect} onChange={(expect) => set({ expect: [...expect] })} />
        <ToolReplyList flow={flow} replies={edited.toolReplies} onChange={(toolReplies) => set({ toolReplies })} />
        {flow.variables.length > 0 ? (
          <details>
            <summary className="text-sm font-medium">Variables of the call</summary>
            <div className="mt-3 grid gap-3 sm:grid-cols-2">
              {flow.variables.map((name) => (
                <TextField
                  key={name}
                  label={name}
                  value={edited.variables[name] ?? ""}
                  onChange={({ target }) => set({ variables: withValue(edited.variables, name, target.value) })}
                />
              ))}
            </div>
          </details>
        ) : null}
        <DialogActions>
          {missing ? (
            <p role="status" className="flex-1 self-center text-sm text-ink-soft">
              {missing}
            </p>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={missing !== null}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function withValue(variables: Readonly<Record<string, string>>, name: string, value: string): Record<string, string> {
  const { [name]: _, ...rest } = variables;
  return value === "" ? rest : { ...rest, [name]: value };
}
