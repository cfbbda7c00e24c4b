import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { inWords, Refusal } from "../../api/api-error.ts";
import { useToast } from "../feedback/toast.tsx";

interface Edit<Input, Output> {
  /** Does it. */
  run(input: Input): Promise<Output>;
  /** What is shown is fetched again afterwards. */
  readonly changes: readonly QueryKey[];
  /** Says that it was done. */
  said?(output: Output, input: Input): string;
  /** Takes it back, where it can be. */
  undo?(output: Output, input: Input): Promise<unknown>;
  /** What is changed, where undoing puts an older value in its place: a newer change ends the offer to undo this one. */
  subject?(output: Output, input: Input): string;
  onDone?(output: Output): void;
}

/** A change that a page makes: it shows what became of it, refreshes what it touches and offers to take it back. */
export function useEdit<Input, Output>({ run, changes, said, undo, subject, onDone }: Edit<Input, Output>) {
  const queries = useQueryClient();
  const toast = useToast();
  const refresh = () => Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const takeBack = async (output: Output, input: Input) => {
    try {
      await undo?.(output, input);
      await refresh();
    } catch (error) {
      toast({ text: inWords(error) });
    }
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async (output, input) => {
      await refresh();
      if (said) {
        toast({
          text: said(output, input),
          ...(undo ? { undo: () => void takeBack(output, input) } : {}),
          ...(subject ? { subject: subject(output, input) } : {}),
        });
      }
      onDone?.(output);
    },
  });
  const fields: Readonly<Record<string, string>> = error instanceof Refusal ? error.fields : {};
  return { run: mutate, isBusy: isPending, error, fields, reset };
}
