import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { unknownNames } from "./placeholder-at.ts";
import { PlaceholderText } from "./placeholder-text.tsx";
import { useFieldWords } from "./plain-fields.tsx";
import { writePattern } from "./set-at.ts";
import { SpeakButton } from "./speak-button.tsx";

interface FilledTextProps extends FieldProps {
  readonly isLine?: boolean;
  readonly aside?: ReactNode;
  readonly placeholder?: string;
}

/** A text in which names are filled. */
export function FilledText(props: FilledTextProps) {
  const { field, path, value, isLine, aside, placeholder, onChange } = props;
  const scope = useFieldScope();
  const names = scope.placeholders(writePattern(path));
  const text = typeof value === "string" ? value : "";
  const unknown = scope.declare ? unknownNames(text, names).filter((name) => /^[a-z][a-z0-9_]*$/.test(name)) : [];
  return (
    <div className="space-y-1.5">
      <Field {...useFieldWords(props)} aside={aside}>
        {(control) => (
          <PlaceholderText
            control={control}
            value={text}
            names={names}
            charsMax={field.kind === "text" ? field.charsMax : null}
            {...(isLine ? { isLine } : {})}
            {...(placeholder ? { placeholder } : {})}
            onChange={(next) => onChange(next === "" && !field.isRequired ? undefined : next)}
          />
        )}
      </Field>
      {unknown.map((name) => (
        <Button key={name} size="small" look="quiet" className="max-w-full" onClick={() => scope.declare?.(name)}>
          <Plus aria-hidden="true" />
          <span className="truncate">Let calls bring “{name}”</span>
        </Button>
      ))}
    </div>
  );
}

/** One line in which names are filled, such as a URL. */
export function FilledLine(props: FieldProps) {
  return <FilledText {...props} isLine />;
}

/** Words that the agent speaks, and can be heard here in its voice. */
export function SpokenText(props: FilledTextProps) {
  const text = typeof props.value === "string" ? props.value : "";
  return <FilledText {...props} aside={<SpeakButton text={text || (props.placeholder ?? "")} />} />;
}
