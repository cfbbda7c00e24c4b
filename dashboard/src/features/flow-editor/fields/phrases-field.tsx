import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { CONTROL, Field } from "../../../ui/field.tsx";
import { addPhrases } from "./add-phrases.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldWords } from "./plain-fields.tsx";
import { writePath } from "./set-at.ts";

/** Example phrases: one is added with Enter, many by pasting lines. */
export function PhrasesField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const { problems } = useFieldScope();
  const [begun, setBegun] = useState("");
  const phrases = Array.isArray(value) ? (value as readonly string[]) : [];
  const keep = (next: readonly string[]) => onChange(next.length === 0 && !field.isRequired ? undefined : next);
  const max = field.kind === "list" ? (field.itemsMax ?? Number.POSITIVE_INFINITY) : 0;
  const add = (text: string) => {
    setBegun("");
    keep(addPhrases(phrases, text, max));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && begun.trim() !== "") {
      event.preventDefault();
      add(begun);
    } else if (event.key === "Backspace" && begun === "" && phrases.length > 0) {
      event.preventDefault();
      setBegun(phrases.at(-1) ?? "");
      keep(phrases.slice(0, -1));
    }
  };
  const words = useFieldWords(props);
  const ofOne = phrases.map((_, index) => problems.get(writePath([...path, index]))).find(Boolean);
  return (
    <Field {...words} error={words.error ?? ofOne}>
      {(control) => (
        <div className="space-y-2">
          {phrases.length > 0 ? (
            <ul aria-label={words.label} className="flex flex-wrap gap-1.5">
              {phrases.map((phrase, index) => (
                <li
                  key={phrase}
                  className="flex max-w-full items-center rounded-full bg-sunken pl-3 text-sm leading-8 has-focus-visible:outline-2"
                >
                  <span className="min-w-0 truncate">{phrase}</span>
                  <button
                    type="button"
                    aria-label={`Remove “${phrase}”`}
                    onClick={() => keep(phrases.filter((_, place) => place !== index))}
                    className="grid size-8 shrink-0 place-items-center rounded-full text-ink-soft hover:text-ink"
                  >
                    <X aria-hidden="true" className="size-3.5" />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <input
            {...control}
            value={begun}
            maxLength={200}
            placeholder="Add a phrase and press Enter"
            onChange={({ target }) => setBegun(target.value)}
            onKeyDown={onKeyDown}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData("text");
              if (!pasted.includes("\n")) return;
              event.preventDefault();
              add(pasted);
            }}
            onBlur={() => (begun.trim() === "" ? undefined : add(begun))}
            className={`${CONTROL} h-10`}
          />
        </div>
      )}
    </Field>
  );
}
