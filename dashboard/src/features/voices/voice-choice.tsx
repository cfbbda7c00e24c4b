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
import { voicesText } from "./text.ts";
import { voicesQuery } from "./voice-queries.ts";

interface VoiceChoiceProps {
  readonly value: string | undefined;
  /** The engine of the agent; null is the default. */
  readonly engine: string | null;
  readonly pace?: number | undefined;
  readonly pronunciations?: readonly Pronunciation[] | undefined;
  onChange(voice: string | undefined): void;
}

/** Read by English voices, whatever the language of the interface. */
const SAMPLE = "Hello, I am calling about your appointment on Tuesday at ten. Does that still suit you?";
const ACCENTS: Readonly<Record<string, string>> = voicesText.accents;
const KINDS = [
  { kind: "natural", label: voicesText.natural },
  { kind: "light", label: voicesText.light },
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
      <fieldset className="min-w-0 space-y-1">
        <legend className="text-sm font-medium">{voicesText.voice}</legend>
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
              <span className="min-w-0 break-words">{voiceLabel(voice)}</span>
            </label>
            <ListenButton
              {...style}
              voice={voice.id}
              disabled={!voice.available}
              title={voicesText.listenToVoice(voice.name)}
            />
          </div>
        ))}
      </fieldset>
      <SelectField
        label={voicesText.allVoices}
        value={chosen}
        aside={<ListenButton {...style} voice={chosen} label={voicesText.hearThisVoice} />}
        hint={voicesText.oneVoicePerCall}
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
      label={voicesText.vendorVoice}
      value={typed}
      spellCheck={false}
      placeholder={`${example}/VOICE_ID`}
      error={isComplete ? undefined : voicesText.vendorVoiceIsIncomplete(example)}
      hint={isUnused ? voicesText.vendorVoiceIsUnused(vendor) : voicesText.vendorVoiceHint}
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
  return [
    `${name} (${voicesText.sexes[sex]}, ${from})`,
    ...(isDefault ? [voicesText.isDefault] : []),
    ...(available ? [] : [voicesText.notSetUp]),
  ].join(", ");
}
