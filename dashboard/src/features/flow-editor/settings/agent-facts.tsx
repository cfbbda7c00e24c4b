import type { Agent, AgentChanges } from "@parley/contract/agents";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CONTROL, Field, SelectField, TextField } from "../../../ui/forms/field.tsx";
import { enginesQuery } from "../../agents/agent-list-query.ts";

interface AgentFactsProps {
  readonly agent: Agent;
  onAgent(changes: AgentChanges): void;
}

/** English is what the local engine understands; others are for engines that know more. */
const LANGUAGES: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: "en-US", name: "English (United States)" },
  { tag: "en-GB", name: "English (United Kingdom)" },
  { tag: "de-DE", name: "German" },
  { tag: "es-ES", name: "Spanish" },
  { tag: "fr-FR", name: "French" },
  { tag: "it-IT", name: "Italian" },
  { tag: "nl-NL", name: "Dutch" },
  { tag: "pt-BR", name: "Portuguese (Brazil)" },
];

/** The name of the agent, its language, and the engine of its calls. */
export function AgentFacts({ agent, onAgent }: AgentFactsProps) {
  const { data: engines = [] } = useQuery(enginesQuery);
  const [name, setName] = useState(agent.name);
  const [description, setDescription] = useState(agent.description);
  const keepName = () => {
    if (name.trim() === "") setName(agent.name);
    else if (name.trim() !== agent.name) onAgent({ name: name.trim() });
  };
  const engine = engines.find((one) => one.name === agent.engine);
  return (
    <>
      <TextField
        label="Name"
        value={name}
        maxLength={120}
        onChange={({ target }) => setName(target.value)}
        onBlur={keepName}
      />
      <Field label="Description">
        {(control) => (
          <textarea
            {...control}
            value={description}
            maxLength={2000}
            rows={3}
            onChange={({ target }) => setDescription(target.value)}
            onBlur={() => (description === agent.description ? undefined : onAgent({ description }))}
            className={`${CONTROL} py-2`}
          />
        )}
      </Field>
      <SelectField
        label="Language"
        value={agent.language}
        hint="The local engine understands English."
        onChange={({ target }) => onAgent({ language: target.value })}
      >
        {LANGUAGES.some(({ tag }) => tag === agent.language) ? null : <option>{agent.language}</option>}
        {LANGUAGES.map(({ tag, name: label }) => (
          <option key={tag} value={tag}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Engine"
        value={agent.engine ?? ""}
        hint={engine?.description ?? "Who listens, speaks and decides in its calls."}
        onChange={({ target }) => onAgent({ engine: target.value === "" ? null : target.value })}
      >
        <option value="">As the installation is set up</option>
        {engines.map((one) => (
          <option key={one.name} value={one.name} disabled={!one.available}>
            {one.available ? one.name : `${one.name} (needs ${one.missing.join(", ")})`}
          </option>
        ))}
      </SelectField>
    </>
  );
}
