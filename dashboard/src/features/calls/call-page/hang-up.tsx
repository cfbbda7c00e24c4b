import type { Call } from "@parley/contract/calls";
import { hangupCall } from "@parley/contract/routes/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PhoneOff } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { callQuery } from "../call-queries.ts";
import { callPageText } from "./text.tsx";

/** Ends a live call politely, or cancels one that was not answered yet. Requesting it twice is harmless. */
export function HangUp({ call }: { readonly call: Call }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(hangupCall, { params: { id: call.id }, mode: call.mode, body: {} }),
    onSuccess: (now) => queries.setQueryData(callQuery(call.mode, call.id).queryKey, now),
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <Button look="danger" onClick={() => mutate()} isBusy={isPending}>
      <PhoneOff aria-hidden="true" />
      {call.phase === "talking" ? callPageText.hangUp : callPageText.cancelCall}
    </Button>
  );
}
