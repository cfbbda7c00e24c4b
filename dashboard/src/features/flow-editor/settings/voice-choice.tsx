import type { Voice } from "@parley/contract/voices";
import { useQuery } from "@tanstack/react-query";
import { SelectField } from "../../../ui/field.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { SpeakButton } from "../fields/speak-button.tsx";
import { voicesQuery } from "../voice-queries.ts";

interface VoiceChoiceProps {
  readonly value: string | undefined;
  onChange(voice: string | undefined): void;
}

const SENTENCE = "Hello, I am calling about your appointment on Tuesday at ten. Does that still suit you?";
const KINDS = [
  { kind: "natural", label: "Natural, rendered ahead of the call" },
  { kind: "light", label: "Light, speaks at once" },
] as const;

/** With which voice the agent speaks, to be heard before it is chosen. */
export function VoiceChoice({ value, onChange }: VoiceChoiceProps) {
  const { data: voices, error } = useQuery(voicesQuery);
  if (!voices && !error) return <Skeleton className="h-16 w-full" />;
  const known = voices ?? [];
  const usual = known.find(({ isDefault }) => isDefault);
  const chosen = value ?? usual?.id ?? "";
  return (
    <SelectField
      label="Voice"
      value={chosen}
      aside={<SpeakButton text={SENTENCE} voice={chosen} label="Hear this voice" />}
      hint="A call has one voice from its start to its end."
      onChange={({ target }) => onChange(target.value === usual?.id ? undefined : target.value)}
    >
      {known.some(({ id }) => id === chosen) ? null : <option value={chosen}>{chosen}</option>}
      {KINDS.map(({ kind, label }) => (
        <optgroup key={kind} label={label}>
          {known
            .filter((voice) => voice.kind === kind)
            .map((voice) => (
              <option key={voice.id} value={voice.id} disabled={!voice.available}>
                {inWords(voice)}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

function inWords({ name, sex, language, isDefault, available }: Voice): string {
  const from = language === "en-GB" ? "British" : language === "en-US" ? "American" : language;
  return `${name} (${sex}, ${from})${isDefault ? ", the usual one" : ""}${available ? "" : ", not set up"}`;
}
