import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, errorText } from "../../api/api-error.ts";
import { useToast } from "../feedback/toast.tsx";

interface Edit<Input, Output> {
  /** Sends the change. */
  run(input: Input): Promise<Output>;
  /** Queries to refetch afterwards. */
  readonly changes: readonly QueryKey[];
  /** The confirmation shown in a toast. */
  message?(output: Output, input: Input): string;
  /** Reverts the change, where that is possible. */
  undo?(output: Output, input: Input): Promise<unknown>;
  /** Identifies what is changed, where undo restores an older value: a newer change to the same subject withdraws this undo. */
  subject?(output: Output, input: Input): string;
  onDone?(output: Output): void;
}

/** A mutation that refetches the queries it affects, confirms success in a toast and offers to undo it. */
export function useEdit<Input, Output>({ run, changes, message, undo, subject, onDone }: Edit<Input, Output>) {
  const queries = useQueryClient();
  const toast = useToast();
  const refresh = () => Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const takeBack = async (output: Output, input: Input) => {
    try {
      await undo?.(output, input);
      await refresh();
    } catch (error) {
      toast({ text: errorText(error) });
    }
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async (output, input) => {
      await refresh();
      if (message) {
        toast({
          text: message(output, input),
          ...(undo ? { undo: () => void takeBack(output, input) } : {}),
          ...(subject ? { subject: subject(output, input) } : {}),
        });
      }
      onDone?.(output);
    },
  });
  const fields: Readonly<Record<string, string>> = error instanceof ApiError ? error.fields : {};
  return { run: mutate, isBusy: isPending, error, fields, reset };
}
