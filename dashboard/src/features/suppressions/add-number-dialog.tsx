import { addSuppression } from "@parley/contract/routes/account";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { inWords, Refusal } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useToast } from "../../ui/toast.tsx";
import { readNumber } from "./read-numbers.ts";
import { suppressionKeys } from "./suppression-queries.ts";

interface Values {
  phoneNumber: string;
  reason: string;
}

export function AddNumberDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { register, handleSubmit, formState } = useForm<Values>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ phoneNumber, reason }: Values) =>
      send(addSuppression, { body: { phoneNumber: readNumber(phoneNumber) ?? phoneNumber, reason: reason.trim() } }),
    onSuccess: async ({ phoneNumber }) => {
      toast({ text: `${phoneNumber} is not called any more.` });
      onClose();
      await queries.invalidateQueries({ queryKey: suppressionKeys.lists });
    },
  });
  const fields = error instanceof Refusal ? error.fields : {};
  return (
    <Dialog isOpen onClose={onClose} title="Add number" lead="It is never called again, from this moment on.">
      <form className="space-y-4" noValidate onSubmit={handleSubmit((values) => mutate(values))}>
        {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{inWords(error)}</Notice> : null}
        <TextField
          label="Phone number"
          type="tel"
          autoComplete="off"
          placeholder="+49 30 1234567"
          hint="With its country code."
          error={formState.errors.phoneNumber?.message ?? fields["phoneNumber"]}
          {...register("phoneNumber", {
            validate: (text) =>
              readNumber(text) !== null || "Write the number with its country code, such as +49 30 1234567.",
          })}
        />
        <TextField
          label="Reason (optional)"
          maxLength={500}
          placeholder="Asked not to be called"
          error={fields["reason"]}
          {...register("reason")}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Add number
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
