import { FlowSettings } from "@parley/contract/flow-settings";
import { DISCLOSURE } from "@parley/flow/phrases";
import { SelectField } from "../../../ui/field.tsx";
import { useFieldScope } from "../fields/field-scope.tsx";
import { fieldsOf } from "../fields/schema-fields.ts";
import { SpokenText } from "../fields/text-fields.tsx";

interface DisclosureFieldProps {
  readonly value: string | null | undefined;
  onChange(value: string | null | undefined): void;
}

const FIELD = fieldsOf(FlowSettings).find(({ name }) => name === "disclosure");

/** That a machine speaks and the call is recorded: in the usual words, in others, or not at all. */
export function DisclosureField({ value, onChange }: DisclosureFieldProps) {
  const { problems } = useFieldScope();
  const choice = value === undefined ? "usual" : value === null ? "off" : "own";
  if (!FIELD) return null;
  return (
    <div className="space-y-4">
      <SelectField
        label="Disclosure"
        value={choice}
        error={choice === "own" ? undefined : problems.get("disclosure")}
        hint={
          choice === "off"
            ? "In many places callees must be told that a machine speaks and that they are recorded."
            : choice === "usual"
              ? `As the account words it, else “${DISCLOSURE.recorded}” Said once, after a first say or before anything else.`
              : undefined
        }
        onChange={({ target }) => onChange(VALUES[target.value as keyof typeof VALUES])}
      >
        <option value="usual">In the usual words</option>
        <option value="own">In words of your own</option>
        <option value="off">Not said</option>
      </SelectField>
      {choice === "own" ? (
        <SpokenText
          field={FIELD}
          path={["disclosure"]}
          value={value}
          onChange={(text) => onChange(String(text ?? ""))}
        />
      ) : null}
    </div>
  );
}

const VALUES = { usual: undefined, own: DISCLOSURE.recorded, off: null } as const;
