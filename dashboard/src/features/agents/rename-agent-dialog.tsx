import type { Agent } from "@parley/contract/agents";
import { changeAgent } from "@parley/contract/routes/agents";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { inWords, Refusal } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { agentsKey } from "./agent-queries.ts";

interface Values {
  name: string;
  description: string;
}

/** Changes what people call an agent. What it says in calls stays as it is. */
export function RenameAgentDialog({ agent, onClose }: { readonly agent: Agent; onClose(): void }) {
  const queries = useQueryClient();
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: { name: agent.name, description: agent.description },
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Values) => send(changeAgent, { params: { id: agent.id }, ifMatch: agent.revision, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: agentsKey });
      onClose();
    },
  });
  const fields = error instanceof Refusal ? error.fields : {};
  return (
    <Dialog isOpen onClose={onClose} title="Rename the agent">
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{sayWhy(error)}</Notice> : null}
        <TextField label="Name" required maxLength={120} error={fields["name"]} {...register("name")} />
        <TextField
          label="Description"
          maxLength={2000}
          hint="For the people of the account."
          error={fields["description"]}
          {...register("description")}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function sayWhy(error: unknown): string {
  const isConflict = error instanceof Refusal && error.code === "draft_conflict";
  return isConflict ? "Somebody else changed the agent meanwhile. Close this and try again." : inWords(error);
}
