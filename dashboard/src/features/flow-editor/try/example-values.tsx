import { TextField } from "../../../ui/forms/field.tsx";
import { keepSampleValues, useSampleValues } from "../sample-values.ts";
import { editorTryText } from "./text.tsx";

interface ExampleValuesProps {
  readonly agentId: string;
  readonly names: readonly string[];
}

/** The inputs of a call. */
export function ExampleValues({ agentId, names }: ExampleValuesProps) {
  const samples = useSampleValues(agentId);
  if (names.length === 0) return null;
  const filled = names.filter((name) => samples[name]).length;
  return (
    <details className="rounded-xl border border-line px-3.5 py-2.5">
      <summary className="text-sm font-medium">
        {editorTryText.variables(filled, names.length, (count) => (
          <span className="font-normal text-ink-soft">{count}</span>
        ))}
      </summary>
      <div className="mt-3 space-y-3">
        {names.map((name) => (
          <TextField
            key={name}
            label={name}
            value={samples[name] ?? ""}
            onChange={({ target }) => keepSampleValues(agentId, { ...samples, [name]: target.value })}
          />
        ))}
      </div>
    </details>
  );
}
