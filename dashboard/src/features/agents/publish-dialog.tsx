import type { Agent } from "@parley/contract/agents";
import { publishAgent } from "@parley/contract/routes/agents";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { inWords, Refusal } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { useWishKeys } from "../../api/use-wish-keys.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useToast } from "../../ui/toast.tsx";
import { agentsKey } from "./agent-queries.ts";

/** Makes the draft what new calls use. What keeps it from that is listed. */
export function PublishDialog({ agent, onClose }: { readonly agent: Agent; onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { register, handleSubmit } = useForm<{ note: string }>({ defaultValues: { note: "" } });
  const keyOf = useWishKeys();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: { note: string }) =>
      send(publishAgent, { params: { id: agent.id }, idempotencyKey: keyOf(body), body }),
    onSuccess: async ({ version, warnings }) => {
      await queries.invalidateQueries({ queryKey: agentsKey });
      const [first] = warnings;
      toast({ text: `Version ${version} is published.${first ? ` ${first.message}` : ""}` });
      onClose();
    },
  });
  const problems = error instanceof Refusal ? Object.entries(error.fields) : [];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Publish the draft"
      lead="New calls use it from now on. Calls under way and queued ones keep their version."
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error ? (
          <Notice tone="danger">
            {problems.length === 0 ? (
              inWords(error)
            ) : (
              <>
                It cannot be published yet:
                <ul className="mt-1 list-disc space-y-1 pl-5">
                  {problems.map(([param, message]) => (
                    <li key={param}>{message}</li>
                  ))}
                </ul>
              </>
            )}
          </Notice>
        ) : null}
        <TextField
          label="Note (optional)"
          maxLength={500}
          placeholder="What is new"
          hint="Shown in the list of versions."
          {...register("note")}
        />
        <DialogActions>
          <Button onClick={onClose}>Not yet</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Publish
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
