import type { Flow } from "@parley/contract/flow";
import { describeAgent } from "@parley/contract/routes/agents";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextAreaField } from "../../../ui/forms/field.tsx";
import { Dialog } from "../../../ui/layout/dialog.tsx";
import { modelNamesQuery } from "../editor-queries.ts";
import { templatesText } from "./text.ts";

const LENGTH = { min: 10, max: 4000 } as const;

interface DescribeDialogProps {
  readonly agentId: string;
  /** Whether there is no flow yet that would be replaced. */
  readonly isEmpty: boolean;
  onWritten(flow: Flow, problems: number): void;
  onClose(): void;
}

/** Has the configured language model write the flow from a description. */
export function DescribeDialog({ agentId, isEmpty, onWritten, onClose }: DescribeDialogProps) {
  const [description, setDescription] = useState("");
  const { data: modelNames } = useQuery(modelNamesQuery);
  const hasNoModel = modelNames?.length === 0;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(describeAgent, { params: { id: agentId }, body: { description: description.trim() } }),
    onSuccess: ({ flow, problems }) => onWritten(flow, problems.length),
  });
  const isShort = description.trim().length < LENGTH.min;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isShort && !hasNoModel && !isPending) mutate();
  };
  return (
    <Dialog isOpen onClose={onClose} title={templatesText.describeYourAgent} lead={templatesText.describeLead}>
      <form onSubmit={submit} className="space-y-4">
        {hasNoModel ? <Notice tone="warning">{templatesText.noModel}</Notice> : null}
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {isEmpty ? null : <Notice tone="warning">{templatesText.replacesFlow}</Notice>}
        <TextAreaField
          label={templatesText.whatShouldItDo}
          placeholder={templatesText.descriptionExample}
          rows={6}
          maxLength={LENGTH.max}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <div className="flex items-center justify-end gap-3">
          <p role="status" className="text-sm text-ink-soft">
            {isPending ? templatesText.writingDraft : ""}
          </p>
          <Button type="submit" look="primary" isBusy={isPending} disabled={isShort || hasNoModel}>
            {templatesText.writeDraft}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
