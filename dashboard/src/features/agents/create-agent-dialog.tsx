import { createAgent, getAgent } from "@parley/contract/routes/agents";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../api/api-error.ts";
import { useIdempotencyKeys } from "../../api/idempotency-keys.ts";
import { send } from "../../api/send.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../ui/layout/dialog.tsx";
import { agentsQuery } from "./agent-list-query.ts";
import { agentsKey } from "./agent-queries.ts";

interface CreateAgentDialogProps {
  /** The agent to copy, if one was already chosen. */
  readonly copyOf?: { readonly id: string; readonly name: string };
  onClose(): void;
}

interface Values {
  name: string;
  copyOf: string;
}

/** Creates an agent: empty, or as a copy of an existing one, such as a sample. */
export function CreateAgentDialog({ copyOf, onClose }: CreateAgentDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: agents = [] } = useQuery(agentsQuery);
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: { name: copyOf ? `${copyOf.name} (copy)`.slice(0, 120) : "", copyOf: copyOf?.id ?? "" },
  });
  const keyOf = useIdempotencyKeys();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ name, copyOf: id }: Values) => {
      if (!id) return send(createAgent, { idempotencyKey: keyOf({ name }), body: { name } });
      const { description, engine, language, flow } = await send(getAgent, { params: { id } });
      const body = { name, description, engine, language, flow };
      return send(createAgent, { idempotencyKey: keyOf(body), body });
    },
    onSuccess: async ({ id }) => {
      await navigate({ to: "/agents/$agentId", params: { agentId: id } });
      await queries.invalidateQueries({ queryKey: agentsKey });
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={copyOf ? `Duplicate “${copyOf.name}”` : "New agent"}
      lead="It starts as a draft. It makes no calls until it is published."
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error && !fields["name"] ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label="Name"
          required
          maxLength={120}
          placeholder="Appointment reminder"
          error={fields["name"]}
          {...register("name")}
        />
        {copyOf ? null : (
          <SelectField label="Start from" hint="Changing a copy does not affect the original." {...register("copyOf")}>
            <option value="">An empty flow</option>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                A copy of {name}
              </option>
            ))}
          </SelectField>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {copyOf ? "Duplicate" : "Create agent"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
