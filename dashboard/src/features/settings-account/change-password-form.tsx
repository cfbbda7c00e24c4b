import { changePassword } from "@parley/contract/routes/members";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Refusal } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { meQuery } from "../../api/sign-in-state.ts";
import { Button } from "../../ui/button.tsx";
import { Refused } from "../../ui/refused.tsx";
import { useToast } from "../../ui/toast.tsx";
import { NewPasswordField, PasswordField } from "../sign-in/entry-fields.tsx";

interface Values {
  currentPassword: string;
  newPassword: string;
}

/** Changes one's own password. Every other browser that is signed in is signed out by it. */
export function ChangePasswordForm() {
  const queries = useQueryClient();
  const toast = useToast();
  const { data: me } = useQuery(meQuery);
  const { register, handleSubmit, reset } = useForm<Values>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Values) => send(changePassword, { body }),
    onSuccess: async () => {
      reset();
      toast({ text: "The password was changed. Every other sign-in of yours has ended." });
      await queries.invalidateQueries(meQuery);
    },
  });
  const fields = error instanceof Refusal ? error.fields : {};
  return (
    <form className="max-w-md space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
      <Refused error={error} named={["currentPassword", "newPassword"]} />
      {/* Lets a password manager know whose password this is. */}
      <input type="email" autoComplete="username" value={me?.member.email ?? ""} readOnly hidden />
      <PasswordField label="Current password" error={fields["currentPassword"]} {...register("currentPassword")} />
      <NewPasswordField label="New password" error={fields["newPassword"]} {...register("newPassword")} />
      <Button type="submit" look="primary" isBusy={isPending}>
        Change the password
      </Button>
    </form>
  );
}
