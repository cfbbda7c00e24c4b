import type { ComponentType } from "react";
import { AnswerField, GoesToField, ModelField, ToolChoiceField } from "./choice-fields.tsx";
import { ConditionField, ValueField } from "./expression-field.tsx";
import { writePattern } from "./field-paths.ts";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { GroupField } from "./group-field.tsx";
import { ListField, PhrasesField } from "./list-fields.tsx";
import { PairsField } from "./pairs-field.tsx";
import { ChoiceField, FlagField, JsonField, NameText, NumberField, PlainText } from "./plain-fields.tsx";
import type { FieldKind } from "./schema-fields.ts";
import { FilledLine, FilledText, SpokenText } from "./text-fields.tsx";

type Editor = ComponentType<FieldProps>;

/** How a field is edited when nothing more is known about it than its schema. */
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

/** Fields that deserve better, by their pattern; those of one kind of node have its name before a colon. */
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
