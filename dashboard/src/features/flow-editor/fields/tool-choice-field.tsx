import { type FieldProps, useFieldScope } from "./field-scope.tsx";
import { useFieldWords } from "./plain-fields.tsx";

/** Which of the flow's tools a conversation may use. */
export function ToolChoiceField(props: FieldProps) {
  const { value, onChange } = props;
  const { flow } = useFieldScope();
  const { label, hint, error } = useFieldWords(props);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const known = (flow.tools ?? []).map(({ name }) => name);
  const all = [...known, ...chosen.filter((name) => !known.includes(name))];
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className="space-y-1.5">
      <legend className="text-sm font-medium">{label}</legend>
      <p className="text-sm text-ink-soft">
        {all.length > 0 ? hint : "This flow has none yet. They are made in the settings of the agent, under Tools."}
      </p>
      {all.map((name) => (
        <label key={name} className="flex items-center gap-2.5 py-1 text-sm">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={() => toggle(name)}
            className="size-4 accent-accent"
          />
          <span className="font-mono text-[0.8125rem]">{name}</span>
          {known.includes(name) ? null : <span className="text-danger-text">is not there</span>}
        </label>
      ))}
      {error ? <p className="text-sm text-danger-text">{error}</p> : null}
    </fieldset>
  );
}
