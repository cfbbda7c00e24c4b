import type { Flow } from "@parley/contract/flow";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { toName } from "../fields/plain-fields.tsx";
import { keepSampleValues, useSampleValues } from "../sample-values.ts";
import { editorSettingsText } from "./text.ts";

interface VariablesSectionProps {
  readonly agentId: string;
  readonly flow: Flow;
  onFlow(flow: Flow): void;
}

/** The inputs of calls, each with an example for tries. */
export function VariablesSection({ agentId, flow, onFlow }: VariablesSectionProps) {
  const samples = useSampleValues(agentId);
  const [begun, setBegun] = useState("");
  const isTaken = flow.variables.includes(begun);
  const add = () => {
    if (begun === "" || isTaken) return;
    onFlow({ ...flow, variables: [...flow.variables, begun] });
    setBegun("");
  };
  return (
    <div className="space-y-3">
      <p className="text-sm text-ink-soft">{editorSettingsText.variablesLead}</p>
      {flow.variables.length > 0 ? (
        <ul className="space-y-2">
          {flow.variables.map((name) => (
            <li key={name} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-1.5">
              <span className="truncate font-mono text-[0.8125rem]">{name}</span>
              <input
                aria-label={editorSettingsText.exampleFor(name)}
                placeholder={editorSettingsText.example}
                value={samples[name] ?? ""}
                onChange={({ target }) => keepSampleValues(agentId, { ...samples, [name]: target.value })}
                className={`${CONTROL} h-9`}
              />
              <Button
                look="quiet"
                size="smallIcon"
                aria-label={editorSettingsText.removeVariable(name)}
                onClick={() => onFlow({ ...flow, variables: flow.variables.filter((one) => one !== name) })}
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex gap-1.5">
        <input
          aria-label={editorSettingsText.newVariable}
          placeholder="first_name"
          value={begun}
          maxLength={64}
          spellCheck={false}
          aria-invalid={isTaken}
          onChange={({ target }) => setBegun(toName(target.value))}
          onKeyDown={(event) => (event.key === "Enter" ? add() : undefined)}
          className={`${CONTROL} h-10 font-mono text-[0.8125rem]`}
        />
        <Button onClick={add} disabled={begun === "" || isTaken}>
          <Plus aria-hidden="true" />
          {editorSettingsText.add}
        </Button>
      </div>
    </div>
  );
}
