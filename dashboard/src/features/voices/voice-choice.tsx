import type { Engine } from "@parley/contract/engines";
import type { Pronunciation } from "@parley/contract/pronunciations";
import type { Voice } from "@parley/contract/voices";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { SelectField, TextField } from "../../ui/forms/field.tsx";
import { enginesQuery } from "../agents/agent-list-query.ts";
import { usedEngine } from "../engines/engine-words.ts";
import { ListenButton } from "./listen-button.tsx";
import { voicesQuery } from "./voice-queries.ts";

interface VoiceChoiceProps {
  readonly value: string | undefined;
  /** The engine of the agent; null is the default. */
  readonly engine: string | null;
  readonly pace?: number | undefined;
  readonly pronunciations?: readonly Pronunciation[] | undefined;
  onChange(voice: string | undefined): void;
}

const SAMPLE = "Hello, I am calling about your appointment on Tuesday at ten. Does that still suit you?";
const ACCENTS: Readonly<Record<string, string>> = {
  "en-GB": "British",
  "en-US": "American",
  "es-ES": "Spanish",
  "fr-FR": "French",
  "it-IT": "Italian",
  "pt-BR": "Brazilian Portuguese",
};
const KINDS = [
  { kind: "natural", label: "Natural" },
  { kind: "light", label: "Light, sounds robotic" },
] as const;

/** The voice of the agent: the recommended ones with a sample each, and all others in a list. */
export function VoiceChoice({ value, engine, pace, pronunciations, onChange }: VoiceChoiceProps) {
  const group = useId();
  const { data: voices, error } = useQuery(voicesQuery);
  const { data: engines = [] } = useQuery(enginesQuery);
  if (!voices && !error) return <Skeleton className="h-16 w-full" />;
  const known = voices ?? [];
  const defaultVoice = known.find(({ isDefault }) => isDefault);
  // A voice of a vendor cannot be listed or played here: only the vendor knows it.
  const vendorVoice = value?.includes("/") ? value : undefined;
  const chosen = (vendorVoice === undefined ? value : undefined) ?? defaultVoice?.id ?? "";
  const vendors = voiceVendors(usedEngine(engine, engines));
  const choose = (id: string) => onChange(id === defaultVoice?.id ? undefined : id);
  const style = { text: SAMPLE, pace, pronunciations };
  const recommended = known.filter(({ isRecommended }) => isRecommended);
  return (
    <div className="space-y-4">
      <fieldset className="space-y-1">
        <legend className="text-sm font-medium">Voice</legend>
        {recommended.map((voice) => (
          <div key={voice.id} className="flex items-center justify-between gap-3">
            <label className="flex min-w-0 cursor-pointer items-center gap-2.5 py-1.5 text-sm">
              <input
                type="radio"
                name={group}
                checked={voice.id === chosen}
                disabled={!voice.available}
                onChange={() => choose(voice.id)}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="truncate">{voiceLabel(voice)}</span>
            </label>
            <ListenButton {...style} voice={voice.id} disabled={!voice.available} title={`Listen to ${voice.name}`} />
          </div>
        ))}
      </fieldset>
      <SelectField
        label="All voices"
        value={chosen}
        aside={<ListenButton {...style} voice={chosen} label="Hear this voice" />}
        hint="A call has one voice from its start to its end."
        onChange={({ target }) => choose(target.value)}
      >
        {known.some(({ id }) => id === chosen) ? null : <option value={chosen}>{chosen}</option>}
        {KINDS.map(({ kind, label }) => (
          <optgroup key={kind} label={label}>
            {known
              .filter((voice) => voice.kind === kind)
              .map((voice) => (
                <option key={voice.id} value={voice.id} disabled={!voice.available}>
                  {voiceLabel(voice)}
                </option>
              ))}
          </optgroup>
        ))}
      </SelectField>
      {vendors.length > 0 || vendorVoice !== undefined ? (
        <VendorVoiceField
          key={vendorVoice ?? ""}
          value={vendorVoice}
          vendors={vendors}
          onChange={(voice) => onChange(voice)}
        />
      ) : null}
    </div>
  );
}

interface VendorVoiceFieldProps {
  readonly value: string | undefined;
  readonly vendors: readonly string[];
  onChange(voice: string | undefined): void;
}

/** A voice of a vendor by its id, for the calls whose engine speaks with that vendor. */
function VendorVoiceField({ value, vendors, onChange }: VendorVoiceFieldProps) {
  const [typed, setTyped] = useState(value ?? "");
  const voice = typed.trim();
  const isComplete = voice === "" || /^[a-z0-9-]+\/\S+$/.test(voice);
  const vendor = voice.split("/")[0] ?? "";
  const example = vendors[0] ?? "elevenlabs";
  const isUnused = value !== undefined && isComplete && !vendors.includes(vendor);
  return (
    <TextField
      label="Voice of a vendor (optional)"
      value={typed}
      spellCheck={false}
      placeholder={`${example}/VOICE_ID`}
      error={isComplete ? undefined : `Write the vendor, a slash and the id of the voice, such as ${example}/VOICE_ID.`}
      hint={
        isUnused
          ? `The engine of this agent does not speak with ${vendor}, so it uses its own voice.`
          : "The vendor and the id of a voice of your account there. Engines without this vendor use their own voice."
      }
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => {
        if (isComplete && voice !== (value ?? "")) onChange(voice === "" ? undefined : voice);
      }}
    />
  );
}

/** The vendors that speak in the calls of an engine. */
function voiceVendors(engine: Engine | undefined): readonly string[] {
  const providers = engine?.synthesis.map(({ provider }) => provider) ?? [];
  return [...new Set(providers.filter((provider) => provider !== "local"))];
}

function voiceLabel({ name, sex, language, isDefault, available }: Voice): string {
  const from = ACCENTS[language] ?? language;
  return `${name} (${sex}, ${from})${isDefault ? ", default" : ""}${available ? "" : ", not set up"}`;
}
