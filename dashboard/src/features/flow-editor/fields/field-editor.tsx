import { checkCondition, checkExpression } from "@parley/flow/expression/check";
import { namesOfFlow } from "@parley/flow/names";
import { type ComponentType, lazy, Suspense, useId, useMemo } from "react";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { AnswerField, GoesToField, McpToolChoiceField, ModelField, ToolChoiceField } from "./choice-fields.tsx";
import { writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { GroupField } from "./group-field.tsx";
import { ListField, PairsField, PhrasesField } from "./list-fields.tsx";
import { ChoiceField, FlagField, JsonField, NameText, NumberField, PlainText, useFieldTexts } from "./plain-fields.tsx";
import type { FieldKind } from "./schema-fields.ts";
import { editorFieldsText } from "./text.tsx";
import { FilledLine, FilledText, SpokenText } from "./text-fields.tsx";

type Editor = ComponentType<FieldProps>;

/** The default editor of a field, by its schema alone. */
const BY_KIND: Readonly<Record<FieldKind["kind"], Editor>> = {
  text: PlainText,
  number: NumberField,
  flag: FlagField,
  choice: ChoiceField,
  list: ListField,
  group: GroupField,
  record: PairsField,
  anything: JsonField,
};

/** Fields with a special editor, by their pattern; those of one kind of node have its name before a colon. */
const BY_PATTERN: Readonly<Record<string, Editor>> = {
  text: SpokenText,
  reworded: SpokenText,
  filler: SpokenText,
  "confirm.text": SpokenText,
  "retries.texts[]": SpokenText,
  "silence.prompts[]": SpokenText,
  identification: SpokenText,
  prompt: FilledText,
  model: ModelField,
  "conversation:exits[].when": FilledText,
  "prompts[].when": FilledText,
  "ask:exits[].when": AnswerField,
  "branch:exits[].when": ConditionField,
  "values[].value": ValueField,
  "exits[].phrases": PhrasesField,
  "global.phrases": PhrasesField,
  next: GoesToField,
  otherwise: GoesToField,
  failed: GoesToField,
  phoneMenu: GoesToField,
  "exits[].next": GoesToField,
  "prompts[].next": GoesToField,
  saveAs: NameText,
  "saves[].saveAs": NameText,
  "values[].saveAs": NameText,
  "model_tool:name": NameText,
  "model_tool:description": FilledText,
  "parameters[].name": NameText,
  tools: ToolChoiceField,
  mcpTools: McpToolChoiceField,
  "request.url": FilledLine,
  to: FilledLine,
  keys: FilledLine,
};

/** One field of a form. */
export function FieldEditor(props: FieldProps) {
  const { subject } = useFieldScope();
  const pattern = writePattern(props.path);
  const Special = BY_PATTERN[`${subject}:${pattern}`] ?? BY_PATTERN[pattern] ?? BY_KIND[props.field.kind];
  return <Special {...props} />;
}

const ExpressionEditor = lazy(() =>
  import("./expression-editor.tsx").then((module) => ({ default: module.ExpressionEditor })),
);

const SAMPLE_CONDITION = "collected.guests > 6";
const SAMPLE_VALUE = "collected.guests + 1";

/** A condition: names and functions are suggested while typing, and type errors are marked in place. */
function ConditionField(props: FieldProps) {
  return <ExpressionField {...props} check={checkCondition} placeholder={SAMPLE_CONDITION} />;
}

/** An expression of any type. */
function ValueField(props: FieldProps) {
  return <ExpressionField {...props} check={checkExpression} placeholder={SAMPLE_VALUE} />;
}

interface ExpressionFieldProps extends FieldProps {
  readonly check: typeof checkCondition | typeof checkExpression;
  readonly placeholder: string;
}

function ExpressionField(props: ExpressionFieldProps) {
  const { value, check, placeholder, onChange } = props;
  const { flow: document, expanded: flow = document } = useFieldScope();
  const { label, hint, error } = useFieldTexts(props);
  const noteId = useId();
  const text = typeof value === "string" ? value : "";
  const declared = useMemo(() => namesOfFlow(flow), [flow]);
  const result = useMemo(() => check(text, declared), [check, text, declared]);
  const mistakes = useMemo(
    () =>
      result.ok
        ? []
        : result.mistakes.map((mistake) => ({ ...mistake, message: editorFieldsText.mistake(mistake.message) })),
    [result],
  );
  // Errors of the expression itself are known immediately; those that involve other nodes are found by the compiler.
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
          description={wrong ?? editorFieldsText.expressionHint}
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
