import { signOut } from "@parley/contract/routes/members";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { formatFull } from "../../ui/format.ts";
import { useToast } from "../../ui/toast.tsx";

/** Since when this browser is signed in, and the way out of all of them. */
export function SignOutEverywhere({ signedInAt }: { readonly signedInAt: string | undefined }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(signOut, { body: { everywhere: true } }),
    onSuccess: async () => {
      await navigate({ to: "/sign-in" });
      // The next person at this machine finds nothing of the last.
      queries.clear();
    },
    onError: (error) => toast({ text: inWords(error) }),
  });
  return (
    <div className="space-y-4 text-sm">
      <p>
        This browser has been signed in since{" "}
        {signedInAt ? <time dateTime={signedInAt}>{formatFull(signedInAt)}</time> : "…"}. It is signed out after 12
        hours without use, and after 7 days in any case.
      </p>
      <p className="text-ink-soft">
        If you left yourself signed in somewhere, end all of it from here. API keys are not touched.
      </p>
      <Button onClick={() => mutate()} isBusy={isPending}>
        <LogOut aria-hidden="true" />
        Sign out everywhere
      </Button>
    </div>
  );
}
