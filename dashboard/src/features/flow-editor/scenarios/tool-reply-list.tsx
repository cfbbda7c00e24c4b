import type { ToolReplies } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import { useId } from "react";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { useDraftText } from "../fields/plain-fields.tsx";
import { scenariosText } from "./text.tsx";

interface ToolReplyListProps {
  readonly flow: Flow;
  readonly replies: ToolReplies;
  onChange(replies: ToolReplies): void;
}

/** Tool replies for text runs, in which no tool is called. */
export function ToolReplyList({ flow, replies, onChange }: ToolReplyListProps) {
  const names = [
    ...flow.nodes.filter(({ type }) => type === "tool").map(({ id }) => id),
    ...(flow.tools ?? []).map(({ name }) => name),
  ];
  const known = [...new Set([...names, ...Object.keys(replies)])];
  if (known.length === 0) return null;
  const set = (name: string, reply: ToolReplies[string] | undefined) => {
    const { [name]: _, ...rest } = replies;
    onChange(reply ? { ...rest, [name]: reply } : rest);
  };
  return (
    <fieldset className="space-y-3">
      <legend className="text-sm font-medium">{scenariosText.toolReplies}</legend>
      <p className="text-sm text-ink-soft">{scenariosText.toolRepliesLead}</p>
      {known.map((name) => (
        <ToolReply key={name} name={name} reply={replies[name]} onChange={(reply) => set(name, reply)} />
      ))}
    </fieldset>
  );
}

const SAMPLE_BODY = '{ "slots": [] }';

interface ToolReplyProps {
  readonly name: string;
  readonly reply: ToolReplies[string] | undefined;
  onChange(reply: ToolReplies[string] | undefined): void;
}

function ToolReply({ name, reply, onChange }: ToolReplyProps) {
  const id = useId();
  const status = useDraftText(String(reply?.status ?? 200), readStatus, (next) =>
    onChange({ ...reply, status: next as number }),
  );
  const body = useDraftText(reply?.body === undefined ? "" : JSON.stringify(reply.body, null, 2), readBody, (next) =>
    onChange({ status: reply?.status ?? 200, ...(next === undefined ? {} : { body: next }) }),
  );
  return (
    <div className="space-y-2">
      <label htmlFor={id} className="flex items-center gap-2.5 text-sm">
        <input
          id={id}
          type="checkbox"
          checked={reply !== undefined}
          onChange={({ target }) => onChange(target.checked ? { status: 200 } : undefined)}
          className="size-4 accent-accent"
        />
        {scenariosText.answers(<span className="font-mono text-[0.8125rem]">{name}</span>)}
      </label>
      {reply ? (
        <div className="grid grid-cols-[5rem_minmax(0,1fr)] items-start gap-1.5">
          <input
            aria-label={scenariosText.statusOf(name)}
            inputMode="numeric"
            value={status.shown}
            aria-invalid={!status.isTaken}
            onChange={({ target }) => status.write(target.value)}
            onBlur={status.leave}
            className={`${CONTROL} h-10`}
          />
          <textarea
            aria-label={scenariosText.bodyOf(name)}
            rows={Math.min(8, Math.max(2, body.shown.split("\n").length))}
            spellCheck={false}
            value={body.shown}
            aria-invalid={!body.isTaken}
            placeholder={SAMPLE_BODY}
            onChange={({ target }) => body.write(target.value)}
            className={`${CONTROL} py-2 font-mono text-[0.8125rem] leading-5`}
          />
        </div>
      ) : null}
    </div>
  );
}

function readStatus(text: string) {
  return /^[1-5]\d\d$/.test(text) ? ({ ok: true, value: Number(text) } as const) : ({ ok: false } as const);
}

function readBody(text: string) {
  if (text.trim() === "") return { ok: true, value: undefined } as const;
  try {
    return { ok: true, value: JSON.parse(text) as unknown } as const;
  } catch {
    return { ok: false } as const;
  }
}
