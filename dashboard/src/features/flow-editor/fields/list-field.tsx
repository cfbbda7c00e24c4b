import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { blankItem, blankValue } from "./blank-value.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { itemWord } from "./field-words.ts";
import { Fields } from "./group-field.tsx";
import { useFieldWords } from "./plain-fields.tsx";
import { writePattern } from "./set-at.ts";

/** Several of a kind, in an order that means something. */
export function ListField(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const { subject, whole, Editor } = useFieldScope();
  const { label, hint, error } = useFieldWords(props);
  if (field.kind !== "list") return null;
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const word = itemWord(subject, writePattern(path));
  const keep = (next: readonly unknown[]) => onChange(next.length === 0 && !field.isRequired ? emptied(value) : next);
  const put = (index: number, item: unknown) => keep(items.map((old, at) => (at === index ? item : old)));
  const swap = (index: number, other: number) =>
    keep(items.map((item, at) => (at === index ? items[other] : at === other ? items[index] : item)));
  return (
    <fieldset className="min-w-0 space-y-2.5">
      <legend className="text-sm font-medium">{label}</legend>
      {hint ? <p className="text-sm text-ink-soft">{hint}</p> : null}
      {error ? <p className="text-sm text-danger-text">{error}</p> : null}
      {items.map((item, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no name of their own; a moved one is drawn anew.
          key={index}
          className="min-w-0 rounded-xl border border-line px-3.5 pt-2 pb-3.5"
        >
          <legend className="sr-only">{`${word} ${index + 1}`}</legend>
          <div className="mb-1.5 flex items-center gap-1">
            <p aria-hidden="true" className="flex-1 text-xs font-medium text-ink-soft">
              {word} {index + 1}
            </p>
            {index > 0 ? (
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={`Move up: ${word} ${index + 1}`}
                onClick={() => swap(index, index - 1)}
              >
                <ArrowUp aria-hidden="true" />
              </Button>
            ) : null}
            {index < items.length - 1 ? (
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={`Move down: ${word} ${index + 1}`}
                onClick={() => swap(index, index + 1)}
              >
                <ArrowDown aria-hidden="true" />
              </Button>
            ) : null}
            {items.length > field.itemsMin ? (
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={`Remove: ${word} ${index + 1}`}
                onClick={() => keep(items.filter((_, at) => at !== index))}
              >
                <X aria-hidden="true" />
              </Button>
            ) : null}
          </div>
          <div className="space-y-4">
            {field.of.kind === "group" ? (
              <Fields
                fields={field.of.fields}
                path={[...path, index]}
                value={item}
                onChange={(next) => put(index, next)}
              />
            ) : (
              <Editor
                field={field.of}
                path={[...path, index]}
                value={item}
                onChange={(next) => put(index, next ?? blankValue(field.of))}
              />
            )}
          </div>
        </fieldset>
      ))}
      {items.length < (field.itemsMax ?? Number.POSITIVE_INFINITY) ? (
        <Button size="small" onClick={() => keep([...items, blankItem(field, whole, items)])}>
          <Plus aria-hidden="true" />
          Add: {word.toLowerCase()}
        </Button>
      ) : null}
    </fieldset>
  );
}

/** A list that is there by default stays there empty; one that may be left out is. */
function emptied(value: unknown): readonly unknown[] | undefined {
  return value === undefined ? undefined : [];
}
