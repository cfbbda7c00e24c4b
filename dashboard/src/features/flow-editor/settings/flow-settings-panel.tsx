import type { Agent, AgentChanges } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { FlowSettings } from "@parley/contract/flow-settings";
import type { Pronunciation } from "@parley/contract/pronunciations";
import { standardTexts } from "@parley/flow/standard-texts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { apiText } from "../../../api/text.ts";
import { locale } from "../../../languages/language.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { CONTROL, Field, SelectField, TextField } from "../../../ui/forms/field.tsx";
import { enginesQuery } from "../../agents/agent-list-query.ts";
import { EngineOptions } from "../../engines/engine-options.tsx";
import {
  engineOption,
  languageMismatch,
  languageName,
  languagesInWords,
  usedEngine,
} from "../../engines/engine-words.ts";
import { completeEntries, PronunciationList } from "../../voices/pronunciation-list.tsx";
import { VoiceChoice } from "../../voices/voice-choice.tsx";
import { FieldEditor } from "../fields/field-editor.tsx";
import { setAt, shownPaths } from "../fields/field-paths.ts";
import {
  type FieldScope,
  FieldScopeProvider,
  homelessProblems,
  namesInSettings,
  problemsBelow,
  useFieldScope,
} from "../fields/field-scope.tsx";
import { Fields } from "../fields/group-field.tsx";
import { fieldsOf } from "../fields/schema-fields.ts";
import { SpokenText } from "../fields/text-fields.tsx";
import type { FlowNote } from "../model/flow-notes.ts";
import { PhraseList } from "./phrase-list.tsx";
import { editorSettingsText } from "./text.ts";
import { ToolsSection } from "./tools-section.tsx";
import { TranslationsSection } from "./translations-section.tsx";
import { VariablesSection } from "./variables-section.tsx";

interface FlowSettingsPanelProps {
  readonly agent: Agent;
  readonly flow: Flow;
  readonly problems?: readonly FlowNote[];
  onFlow(flow: Flow): void;
  onAgent(changes: AgentChanges): void;
}

const FIELDS = fieldsOf(FlowSettings);
/** Settings with a custom field. */
const BY_HAND = new Set(["voice", "disclosure", "phrases", "pace", "pronunciations"]);
const NONE: readonly FlowNote[] = [];

/** How the agent behaves throughout the call. */
export function FlowSettingsPanel({ agent, flow, problems = NONE, onFlow, onAgent }: FlowSettingsPanelProps) {
  const settings = flow.settings ?? {};
  const found = useMemo(() => problemsBelow(problems, "settings"), [problems]);
  const onSettings = (next: unknown) => onFlow({ ...flow, settings: next as FlowSettings });
  const set = (name: string, value: unknown) => onSettings(setAt(settings, [name], value));
  const scope: FieldScope = {
    agentId: agent.id,
    flow,
    subject: "settings",
    whole: settings,
    problems: found,
    Editor: FieldEditor,
    placeholders: (pattern) => namesInSettings(flow, pattern),
    applies: () => true,
    declare: (name) => onFlow({ ...flow, variables: [...flow.variables, name] }),
  };
  const homeless = homelessProblems(found, shownPaths(FIELDS, settings, scope.applies));
  const some = (...names: readonly string[]) => (
    <Fields
      fields={names.flatMap((name) => FIELDS.filter((field) => field.name === name && !BY_HAND.has(name)))}
      path={[]}
      value={settings}
      onChange={onSettings}
    />
  );
  return (
    <FieldScopeProvider scope={scope}>
      <div className="space-y-8">
        {homeless.map((message) => (
          <Notice key={message} tone="danger">
            {message}
          </Notice>
        ))}
        <Section title={editorSettingsText.agent}>
          <AgentFacts agent={agent} onAgent={onAgent} />
        </Section>
        <Section title={editorSettingsText.voice}>
          <VoiceChoice
            value={settings.voice}
            engine={agent.engine}
            pace={settings.pace}
            pronunciations={settings.pronunciations}
            onChange={(voice) => set("voice", voice)}
          />
          <PaceField value={settings.pace} onChange={(pace) => set("pace", pace)} />
        </Section>
        <Section title={editorSettingsText.pronunciation}>
          <p className="text-sm text-ink-soft">{editorSettingsText.pronunciationLead}</p>
          <AgentPronunciations
            settings={settings}
            onChange={(list) => set("pronunciations", list.length === 0 ? undefined : list)}
          />
        </Section>
        <Section title={editorSettingsText.opening}>
          {some("greeting")}
          <DisclosureField
            value={settings.disclosure}
            language={agent.language}
            onChange={(disclosure) => set("disclosure", disclosure)}
          />
          {some("identification")}
        </Section>
        <Section title={editorSettingsText.takingTurns}>
          {some("interruptible", "patience", "retries", "silence", "holdMusic")}
        </Section>
        <Section title={editorSettingsText.notUnderstood}>{some("secondOpinion", "connectAfterFailures")}</Section>
        <Section title={editorSettingsText.callbacks}>{some("callback")}</Section>
        <Section title={editorSettingsText.machines}>{some("voicemail", "phoneMenu")}</Section>
        <Section title={editorSettingsText.limits}>{some("limits", "fillerAfterMs")}</Section>
        <Section title={editorSettingsText.variables}>
          <VariablesSection agentId={agent.id} flow={flow} onFlow={onFlow} />
        </Section>
        <Section title={editorSettingsText.tools}>
          <ToolsSection agentId={agent.id} flow={flow} problems={problems} onFlow={onFlow} />
        </Section>
        <Section title={editorSettingsText.otherLanguages}>
          <TranslationsSection
            flow={flow}
            language={agent.language}
            onChange={(translations) => set("translations", translations)}
          />
        </Section>
        <Section title={editorSettingsText.phrases}>
          <PhraseList
            phrases={settings.phrases}
            language={agent.language}
            onChange={(phrases) => set("phrases", phrases)}
          />
        </Section>
      </div>
    </FieldScopeProvider>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-4">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}

const PACES = [
  { value: 0.8, label: editorSettingsText.slow },
  { value: 0.9, label: editorSettingsText.slower },
  { value: 1, label: editorSettingsText.normal },
  { value: 1.1, label: editorSettingsText.faster },
  { value: 1.2, label: editorSettingsText.fast },
] as const;

interface AgentPronunciationsProps {
  readonly settings: FlowSettings;
  onChange(list: readonly Pronunciation[]): void;
}

/** Entries that are not complete stay here: a draft has only those that can be spoken. */
function AgentPronunciations({ settings, onChange }: AgentPronunciationsProps) {
  const [edited, setEdited] = useState<readonly Pronunciation[]>([]);
  const saved = settings.pronunciations ?? [];
  // What was undone or changed elsewhere replaces what was typed.
  const isCurrent = JSON.stringify(completeEntries(edited)) === JSON.stringify(saved);
  return (
    <PronunciationList
      list={isCurrent ? edited : saved}
      voice={settings.voice}
      pace={settings.pace}
      onChange={(list) => {
        setEdited(list);
        const complete = completeEntries(list);
        if (JSON.stringify(complete) !== JSON.stringify(saved)) onChange(complete);
      }}
    />
  );
}

interface PaceFieldProps {
  readonly value: number | undefined;
  onChange(pace: number | undefined): void;
}

/** How fast the agent speaks. Any other pace can be set in the API, and stays until it is changed here. */
function PaceField({ value = 1, onChange }: PaceFieldProps) {
  const isListed = PACES.some((pace) => pace.value === value);
  return (
    <SelectField
      label={editorSettingsText.pace}
      value={String(value)}
      onChange={({ target }) => onChange(target.value === "1" ? undefined : Number(target.value))}
    >
      {isListed ? null : <option value={String(value)}>{value.toLocaleString(locale, { style: "percent" })}</option>}
      {PACES.map((pace) => (
        <option key={pace.value} value={String(pace.value)}>
          {pace.label}
        </option>
      ))}
    </SelectField>
  );
}

interface DisclosureFieldProps {
  readonly value: string | null | undefined;
  /** The agent's, as a BCP 47 tag. */
  readonly language: string;
  onChange(value: string | null | undefined): void;
}

const FIELD = fieldsOf(FlowSettings).find(({ name }) => name === "disclosure");

/** The disclosure that a machine speaks and the call is recorded: the default text, a custom one, or none. */
function DisclosureField({ value, language, onChange }: DisclosureFieldProps) {
  const standard = standardTexts(language).disclosure.recorded;
  const { problems } = useFieldScope();
  const choice = value === undefined ? "default" : value === null ? "off" : "own";
  if (!FIELD) return null;
  return (
    <div className="space-y-4">
      <SelectField
        label={editorSettingsText.disclosure}
        value={choice}
        error={choice === "own" ? undefined : problems.get("disclosure")}
        hint={
          choice === "off"
            ? editorSettingsText.noDisclosure
            : choice === "default"
              ? editorSettingsText.defaultDisclosure(standard)
              : undefined
        }
        onChange={({ target }) => onChange({ default: undefined, own: standard, off: null }[target.value])}
      >
        <option value="default">{editorSettingsText.defaultText}</option>
        <option value="own">{editorSettingsText.customText}</option>
        <option value="off">{editorSettingsText.noText}</option>
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

interface AgentFactsProps {
  readonly agent: Agent;
  onAgent(changes: AgentChanges): void;
}

/** Those with rules and standard phrases of their own. */
const LANGUAGES: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: "en-US", name: editorSettingsText.languageEnUs },
  { tag: "en-GB", name: editorSettingsText.languageEnGb },
  { tag: "de-DE", name: editorSettingsText.languageDe },
  { tag: "es-ES", name: editorSettingsText.languageEs },
  { tag: "fr-FR", name: editorSettingsText.languageFr },
];
/** Only conversations by a language model understand these. */
const OTHER_LANGUAGES: typeof LANGUAGES = [
  { tag: "it-IT", name: editorSettingsText.languageIt },
  { tag: "nl-NL", name: editorSettingsText.languageNl },
  { tag: "pt-BR", name: editorSettingsText.languagePtBr },
];
const LISTED_LANGUAGES = [...LANGUAGES, ...OTHER_LANGUAGES];

/** The name of the agent, its language, and the engine of its calls. */
function AgentFacts({ agent, onAgent }: AgentFactsProps) {
  const { data: engines = [] } = useQuery(enginesQuery);
  const [name, setName] = useState(agent.name);
  const [description, setDescription] = useState(agent.description);
  const keepName = () => {
    if (name.trim() === "") setName(agent.name);
    else if (name.trim() !== agent.name) onAgent({ name: name.trim() });
  };
  const engine = usedEngine(agent.engine, engines);
  const defaultEngine = usedEngine(null, engines);
  const local = engines.find((one) => one.name === "local");
  const mismatch = languageMismatch(engine, engines, agent.language);
  return (
    <>
      <TextField
        label={editorSettingsText.name}
        value={name}
        maxLength={120}
        onChange={({ target }) => setName(target.value)}
        onBlur={keepName}
      />
      <Field label={editorSettingsText.description}>
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
        label={editorSettingsText.language}
        value={agent.language}
        hint={local ? editorSettingsText.localSpeaks(languagesInWords(local.languages)) : undefined}
        onChange={({ target }) => onAgent({ language: target.value })}
      >
        {LISTED_LANGUAGES.some(({ tag }) => tag === agent.language) ? null : (
          <option value={agent.language}>{languageName(agent.language)}</option>
        )}
        {LANGUAGES.map(({ tag, name: label }) => (
          <option key={tag} value={tag}>
            {label}
          </option>
        ))}
        <optgroup label={editorSettingsText.onlyWithModel}>
          {OTHER_LANGUAGES.map(({ tag, name: label }) => (
            <option key={tag} value={tag}>
              {label}
            </option>
          ))}
        </optgroup>
      </SelectField>
      <SelectField
        label={editorSettingsText.engine}
        value={agent.engine ?? ""}
        hint={engine ? apiText.wordSentence(engine.description) : editorSettingsText.engineHint}
        onChange={({ target }) => onAgent({ engine: target.value === "" ? null : target.value })}
      >
        <option value="">{editorSettingsText.defaultEngine(defaultEngine ? engineOption(defaultEngine) : null)}</option>
        {agent.engine === null || engine ? null : <option value={agent.engine}>{agent.engine}</option>}
        <EngineOptions engines={engines} />
      </SelectField>
      {engine && !engine.available ? (
        <Notice tone="warning">
          {editorSettingsText.engineNotSetUp(engine.name, engine.missing.map(apiText.wordSentence).join(" "))}
        </Notice>
      ) : null}
      {mismatch === null ? null : <Notice tone="warning">{mismatch}</Notice>}
    </>
  );
}
