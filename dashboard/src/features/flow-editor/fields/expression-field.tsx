import { checkCondition, checkExpression } from "@parley/flow/expression/check";
import { namesOfFlow } from "@parley/flow/names";
import { lazy, Suspense, useId, useMemo } from "react";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldWords } from "./plain-fields.tsx";

const ExpressionEditor = lazy(() =>
  import("./expression-editor.tsx").then((module) => ({ default: module.ExpressionEditor })),
);

/** A condition: names and functions are offered while it is written, and what does not fit together is marked in place. */
export function ConditionField(props: FieldProps) {
  return <ExpressionField {...props} check={checkCondition} placeholder="collected.guests > 6" />;
}

/** An expression that may come to anything. */
export function ValueField(props: FieldProps) {
  return <ExpressionField {...props} check={checkExpression} placeholder="collected.guests + 1" />;
}

interface ExpressionFieldProps extends FieldProps {
  readonly check: typeof checkCondition | typeof checkExpression;
  readonly placeholder: string;
}

function ExpressionField(props: ExpressionFieldProps) {
  const { value, check, placeholder, onChange } = props;
  const { flow } = useFieldScope();
  const { label, hint, error } = useFieldWords(props);
  const noteId = useId();
  const text = typeof value === "string" ? value : "";
  const declared = useMemo(() => namesOfFlow(flow), [flow]);
  const result = useMemo(() => check(text, declared), [check, text, declared]);
  const mistakes = result.ok ? [] : result.mistakes;
  // What is wrong here is known at once; what other nodes have to do with it is found by the compiler.
  const wrong = text.trim() === "" ? error : (mistakes[0]?.message ?? error);
  return (
    <div className="space-y-1.5">
      <p className="text-sm font-medium">{label}</p>
      <Suspense
        fallback={
          <input aria-label={label} readOnly value={text} className={`${CONTROL} h-10 font-mono text-[0.8125rem]`} />
        }
      >
        <ExpressionEditor
          label={label}
          description={wrong ?? "Names and functions are offered while you write."}
          isWrong={wrong !== undefined}
          value={text}
          placeholder={placeholder}
          declared={declared}
          mistakes={text.trim() === "" ? [] : mistakes}
          onChange={onChange}
        />
      </Suspense>
      {wrong || hint ? (
        <p id={noteId} className={`text-sm ${wrong ? "text-danger-text" : "text-ink-soft"}`}>
          {wrong ?? hint}
        </p>
      ) : null}
    </div>
  );
}
