import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { writePath, writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldTexts } from "./plain-fields.tsx";
import { PlaceholderText } from "./text-fields.tsx";

/** RFC 9110 section 5.6.2: a name is a token. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

type Pair = readonly [name: string, text: string];

/** The valid rows; of two with the same name the last. */
function namedOf(rows: readonly Pair[]): readonly Pair[] {
  return Object.entries(
    Object.fromEntries(rows.map(([name, text]) => [name.trim(), text]).filter(([name = ""]) => HEADER_NAME.test(name))),
  );
}

/** Names with values, such as the headers of a request. A row without a valid name is kept here until it has one. */
export function PairsField(props: FieldProps) {
  const { path, value, onChange } = props;
  const { problems, placeholders } = useFieldScope();
  const kept = Object.entries((value as Readonly<Record<string, string>> | undefined) ?? {});
  const [written, setWritten] = useState<readonly Pair[]>(kept);
  // A change from elsewhere, such as undo, takes precedence over what is typed here.
  const rows = JSON.stringify(namedOf(written)) === JSON.stringify(kept) ? written : kept;
  const legendId = useId();
  const { label, hint } = useFieldTexts(props);
  const keep = (next: readonly Pair[]) => {
    setWritten(next);
    const named = Object.fromEntries(namedOf(next));
    onChange(Object.keys(named).length > 0 ? named : undefined);
  };
  const change = (index: number, row: Pair) => keep(rows.map((old, at) => (at === index ? row : old)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay its content out as a column here.
    <div role="group" aria-labelledby={legendId} className="space-y-2">
      <p id={legendId} className="text-sm font-medium">
        {label}
      </p>
      {hint ? <p className="text-sm text-ink-soft">{hint}</p> : null}
      {rows.map(([name, text], index) => {
        const error = problems.get(writePath([...path, name]));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row may have no name yet, and rows do not move.
          <div key={index} className="space-y-1">
            <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-1.5">
              <input
                aria-label={`Name ${index + 1}`}
                value={name}
                spellCheck={false}
                placeholder="X-Shop"
                onChange={({ target }) => change(index, [target.value, text])}
                className={`${CONTROL} h-10 font-mono text-[0.8125rem]`}
              />
              <label htmlFor={`${legendId}-${index}`} className="block">
                <span className="sr-only">Value of {name || `name ${index + 1}`}</span>
                <PlaceholderText
                  control={{
                    id: `${legendId}-${index}`,
                    "aria-describedby": undefined,
                    "aria-invalid": error !== undefined,
                  }}
                  value={text}
                  names={placeholders(writePattern(path))}
                  charsMax={2000}
                  isLine
                  onChange={(next) => change(index, [name, next])}
                />
              </label>
              <Button
                look="quiet"
                size="icon"
                aria-label={`Remove ${name || `row ${index + 1}`}`}
                onClick={() => keep(rows.filter((_, at) => at !== index))}
              >
                <X aria-hidden="true" />
              </Button>
            </div>
            {error ? <p className="text-sm text-danger-text">{error}</p> : null}
          </div>
        );
      })}
      <Button size="small" look="quiet" onClick={() => setWritten([...rows, ["", ""]])}>
        <Plus aria-hidden="true" />
        Add a header
      </Button>
    </div>
  );
}
