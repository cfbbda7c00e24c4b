import { disableSecondFactor, replaceRecoveryCodes } from "@parley/contract/routes/sign-in-security";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Refusal } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Refused } from "../../ui/refused.tsx";
import { useToast } from "../../ui/toast.tsx";
import { CodeField, PasswordField } from "../sign-in/entry-fields.tsx";
import { RecoveryCodeList } from "./recovery-code-list.tsx";

interface Values {
  password: string;
  code: string;
}

const WORDS = {
  codes: {
    title: "New recovery codes",
    lead: "The codes you have now stop working.",
    action: "Make new codes",
  },
  off: {
    title: "Turn off two-factor authentication?",
    lead: "Your password alone will then sign you in, and your recovery codes stop working.",
    action: "Turn off",
  },
} as const;

interface ProofDialogProps {
  readonly purpose: keyof typeof WORDS;
  onClose(): void;
}

/** Asks for the password and a code before recovery codes are replaced or the second factor is turned off. */
export function ProofDialog({ purpose, onClose }: ProofDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { register, handleSubmit } = useForm<Values>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: Values) => {
      if (purpose === "codes") return (await send(replaceRecoveryCodes, { body })).recoveryCodes;
      await send(disableSecondFactor, { body });
      return null;
    },
    onSuccess: async (made) => {
      setCodes(made);
      if (!made) {
        toast({ text: "Two-factor authentication is off." });
        onClose();
      }
      await queries.invalidateQueries();
    },
  });
  const fields = error instanceof Refusal ? error.fields : {};
  const { title, lead, action } = WORDS[purpose];
  return (
    <Dialog isOpen isSticky={codes !== null} onClose={onClose} title={title} lead={lead}>
      {codes ? (
        <RecoveryCodeList codes={codes} onClose={onClose} />
      ) : (
        <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
          <Refused error={error} named={["password", "code"]} />
          <PasswordField label="Your password" error={fields["password"]} {...register("password")} />
          <CodeField error={fields["code"]} {...register("code")} />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look={purpose === "off" ? "danger" : "primary"} isBusy={isPending}>
              {action}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
