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
import { agentsText } from "./text.ts";

interface CreateAgentDialogProps {
  /** The agent to copy, if one was already chosen. */
  readonly copyOf?: { readonly id: string; readonly name: string };
  onClose(): void;
}

interface Values {
  name: string;
  copyOf: string;
}

/** Creates an agent, empty or as a copy of an existing one, such as a sample, and opens it in the builder. */
export function CreateAgentDialog({ copyOf, onClose }: CreateAgentDialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: agents = [] } = useQuery(agentsQuery);
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: { name: copyOf ? agentsText.nameOfCopy(copyOf.name).slice(0, 120) : "", copyOf: copyOf?.id ?? "" },
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
      await navigate({ to: "/agents/$agentId/build", params: { agentId: id } });
      await queries.invalidateQueries({ queryKey: agentsKey });
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={copyOf ? agentsText.duplicateTitle(copyOf.name) : agentsText.newAgent}
      lead={agentsText.createLead}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error && !fields["name"] ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label={agentsText.name}
          required
          maxLength={120}
          placeholder={agentsText.namePlaceholder}
          error={fields["name"]}
          {...register("name")}
        />
        {copyOf ? null : (
          <SelectField label={agentsText.startFrom} hint={agentsText.startFromHint} {...register("copyOf")}>
            <option value="">{agentsText.emptyFlow}</option>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {agentsText.copyOf(name)}
              </option>
            ))}
          </SelectField>
        )}
        <DialogActions>
          <Button onClick={onClose}>{agentsText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {copyOf ? agentsText.duplicate : agentsText.createAgent}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
