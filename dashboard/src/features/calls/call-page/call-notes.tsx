import type { Call } from "@parley/contract/calls";
import { changeCallNotes, getCallNotes } from "@parley/contract/routes/calls";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { callKeys } from "../../../app/live-keys.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { callPageText } from "./text.tsx";

const notesQuery = ({ id, mode }: Pick<Call, "id" | "mode">) =>
  queryOptions({
    queryKey: [...callKeys.one(id), mode, "notes"],
    queryFn: ({ signal }) => send(getCallNotes, { params: { id }, mode, signal }),
  });

/** Tags and a note, for the members of the account. The search finds a call by them. */
export function CallNotesCard({ call }: { readonly call: Pick<Call, "id" | "mode"> }) {
  const queries = useQueryClient();
  const { data: notes, error } = useQuery(notesQuery(call));
  const [tag, setTag] = useState("");
  const [note, setNote] = useState("");
  const [isTyping, setTyping] = useState(false);
  const noteField = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // What is being typed is never replaced.
    if (notes && !isTyping) setNote(notes.note);
  }, [notes, isTyping]);
  const save = useMutation({
    mutationFn: (body: { tags?: string[]; note?: string }) =>
      send(changeCallNotes, { params: { id: call.id }, mode: call.mode, body }),
    onSuccess: (saved) => queries.setQueryData(notesQuery(call).queryKey, saved),
  });
  const tags = notes?.tags ?? [];
  const add = () => {
    const next = tag.trim();
    const isKnown = tags.some((known) => known.toLowerCase() === next.toLowerCase());
    if (next !== "" && !isKnown) save.mutate({ tags: [...tags, next] });
    setTag("");
  };
  const failure = save.error ?? error;
  return (
    <Card title={callPageText.tagsAndNote}>
      {failure ? <Notice tone="danger">{errorText(failure)}</Notice> : null}
      {tags.length > 0 ? (
        <ul aria-label={callPageText.tags} className="mb-3 flex flex-wrap gap-1.5">
          {tags.map((known) => (
            <li key={known} className="inline-flex items-center rounded-full bg-sunken pl-2.5 text-sm">
              {known}
              <button
                type="button"
                aria-label={callPageText.removeTag(known)}
                onClick={() => save.mutate({ tags: tags.filter((other) => other !== known) })}
                className="grid size-7 place-items-center rounded-full text-ink-soft hover:text-ink"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label={callPageText.addTag}
          value={tag}
          maxLength={40}
          placeholder={callPageText.tagPlaceholder}
          onChange={(event) => setTag(event.target.value)}
          onBlur={add}
        />
      </form>
      <form
        className="mt-3"
        onSubmit={(event) => {
          event.preventDefault();
          // The button disappears once the note is saved.
          noteField.current?.focus();
          save.mutate({ note });
        }}
        onFocus={() => setTyping(true)}
        onBlur={({ currentTarget, relatedTarget }) => {
          // The button stays while the focus goes to it.
          if (currentTarget.contains(relatedTarget)) return;
          setTyping(false);
          if (note !== (notes?.note ?? "")) save.mutate({ note });
        }}
      >
        <TextAreaField
          ref={noteField}
          label={callPageText.note}
          value={note}
          maxLength={5000}
          rows={3}
          onChange={(event) => setNote(event.target.value)}
        />
        {isTyping && note !== (notes?.note ?? "") ? (
          <div className="mt-2">
            <Button type="submit" size="small" isBusy={save.isPending}>
              {callPageText.saveNote}
            </Button>
          </div>
        ) : null}
      </form>
    </Card>
  );
}
