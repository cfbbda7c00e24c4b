import { CONTROL, Field } from "../../../ui/field.tsx";
import type { FieldProps } from "./field-scope.tsx";
import { useFieldWords } from "./plain-fields.tsx";
import { useWritten } from "./use-written.ts";

/** Any JSON. */
export function JsonField(props: FieldProps) {
  const { value, onChange } = props;
  const words = useFieldWords(props);
  const kept = value === undefined ? "" : JSON.stringify(value, null, 2);
  const written = useWritten(kept, readJson, onChange);
  return (
    <Field {...words} error={written.isTaken ? words.error : "This is no JSON yet, so it is not kept."}>
      {(control) => (
        <textarea
          {...control}
          value={written.shown}
          rows={Math.min(12, Math.max(3, written.shown.split("\n").length))}
          spellCheck={false}
          placeholder='{ "day": "{{day}}" }'
          onChange={({ target }) => written.write(target.value)}
          // What is no JSON yet was much work to write and is left to be mended.
          onBlur={() => (written.isTaken ? written.leave() : undefined)}
          className={`${CONTROL} py-2 font-mono text-[0.8125rem] leading-5`}
        />
      )}
    </Field>
  );
}

function readJson(text: string) {
  if (text.trim() === "") return { ok: true, value: undefined } as const;
  try {
    return { ok: true, value: JSON.parse(text) as unknown } as const;
  } catch {
    return { ok: false } as const;
  }
}
