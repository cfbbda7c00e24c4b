import type { Flow } from "@parley/contract/flow";
import { createScenario } from "@parley/contract/routes/scenarios";
import type { ScenarioExpectation } from "@parley/contract/scenarios";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { scenarioKeys } from "../scenarios/scenario-queries.ts";
import { expectationWords } from "../scenarios/scenario-text.ts";
import { useExpandedFlow } from "../sub-flows/load-sub-flows.ts";
import { expectationsOf, nameOf, scenarioOf, type TryOutcome } from "./scenario-of-try.ts";
import { editorTryText } from "./text.tsx";

interface SaveAsScenarioProps {
  readonly agentId: string;
  /** The flow that was tried. */
  readonly flow: Flow;
  readonly outcome: TryOutcome;
}

/** Saves a try as a scenario, to be repeated whenever the agent changes. */
export function SaveAsScenario({ agentId, flow, outcome }: SaveAsScenarioProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <BookmarkPlus aria-hidden="true" />
        {editorTryText.saveAsScenario}
      </Button>
      {isOpen ? <SaveDialog agentId={agentId} flow={flow} outcome={outcome} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SaveDialog({ agentId, flow, outcome, onClose }: SaveAsScenarioProps & { onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const expanded = useExpandedFlow(flow);
  const [name, setName] = useState(() => nameOf(outcome));
  const [offered] = useState(() => expectationsOf(outcome));
  const [dropped, setDropped] = useState<ReadonlySet<ScenarioExpectation>>(new Set());
  const expected = offered.filter((one) => !dropped.has(one));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      send(createScenario, { params: { id: agentId }, body: scenarioOf(name.trim(), outcome, expected) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: scenarioKeys.list(agentId) });
      toast({ text: editorTryText.scenarioSaved });
      onClose();
    },
  });
  const toggle = (one: ScenarioExpectation) => {
    const next = new Set(dropped);
    if (!next.delete(one)) next.add(one);
    setDropped(next);
  };
  return (
    <Dialog isOpen onClose={onClose} title={editorTryText.saveAsScenario} lead={editorTryText.saveAsScenarioLead}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label={editorTryText.name}
          required
          maxLength={120}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <fieldset className="space-y-1">
          <legend className="mb-1 text-sm font-medium">{editorTryText.expectations}</legend>
          {offered.map((one) => (
            <label key={JSON.stringify(one)} className="flex items-start gap-2.5 py-1 text-sm">
              <input
                type="checkbox"
                checked={!dropped.has(one)}
                onChange={() => toggle(one)}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 break-words">{expectationWords(one, expanded)}</span>
            </label>
          ))}
        </fieldset>
        <DialogActions>
          <Button onClick={onClose}>{editorTryText.cancel}</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={isPending}
            disabled={name.trim() === "" || expected.length === 0}
          >
            {editorTryText.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
