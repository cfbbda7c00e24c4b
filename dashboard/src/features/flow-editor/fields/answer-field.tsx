import { SelectField } from "../../../ui/field.tsx";
import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { PlainText, useFieldWords } from "./plain-fields.tsx";

/** The answer that an exit is for: yes or no where the question is one, else what the kind of answer can be. */
export function AnswerField(props: FieldProps) {
  const { whole } = useFieldScope();
  const words = useFieldWords(props);
  const { answer } = whole as { readonly answer?: string };
  if (answer !== "yes_no") return <PlainText {...props} />;
  const value = String(props.value ?? "");
  return (
    <SelectField {...words} value={value} onChange={({ target }) => props.onChange(target.value)}>
      <option value="yes">Yes</option>
      <option value="no">No</option>
      {value === "yes" || value === "no" ? null : <option value={value}>{value}</option>}
    </SelectField>
  );
}
