import { FlowSettings, PHRASE_NAMES, type PhraseName } from "@parley/contract/flow-settings";
import { standardTexts } from "@parley/flow/standard-texts";
import { Field } from "../../../ui/forms/field.tsx";
import { useFieldScope } from "../fields/field-scope.tsx";
import { fieldsOf } from "../fields/schema-fields.ts";
import { SpeakButton } from "../fields/speak-button.tsx";
import { editorFieldsText } from "../fields/text.tsx";
import { PlaceholderText } from "../fields/text-fields.tsx";
import { editorSettingsText } from "./text.ts";

type Phrases = NonNullable<FlowSettings["phrases"]>;

interface PhraseListProps {
  readonly phrases: Phrases | undefined;
  /** The agent's, as a BCP 47 tag. */
  readonly language: string;
  onChange(phrases: Phrases | undefined): void;
}

/** When each of them is said. */
const WHEN: Readonly<Record<PhraseName, string>> = editorSettingsText.when;

const HELP = editorFieldsText.helpOf(
  "settings",
  "phrases",
  fieldsOf(FlowSettings).find(({ name }) => name === "phrases")?.help ?? "",
);

/** The standard phrases of the agent, each with its default text until it is changed. */
export function PhraseList({ phrases = {}, language, onChange }: PhraseListProps) {
  const standard = standardTexts(language).phrases;
  const { placeholders, problems } = useFieldScope();
  const count = Object.keys(phrases).length;
  const set = (name: PhraseName, text: string) => {
    const { [name]: _, ...rest } = phrases;
    const next: Phrases = text === "" ? rest : { ...rest, [name]: text };
    onChange(Object.keys(next).length > 0 ? next : undefined);
  };
  return (
    <details open={count > 0}>
      <summary className="text-sm font-medium">
        {count === 0
          ? editorSettingsText.allDefaultPhrases
          : editorSettingsText.customizedPhrases(count, PHRASE_NAMES.length)}
      </summary>
      <p className="mt-2 text-sm text-ink-soft">{HELP}</p>
      <div className="mt-4 space-y-4">
        {PHRASE_NAMES.map((name) => (
          <Field
            key={name}
            label={WHEN[name]}
            error={problems.get(`phrases.${name}`)}
            aside={<SpeakButton text={phrases[name] ?? standard[name]} />}
          >
            {(control) => (
              <PlaceholderText
                control={control}
                value={phrases[name] ?? ""}
                names={placeholders(`phrases.${name}`)}
                charsMax={2000}
                isLine
                placeholder={standard[name]}
                onChange={(text) => set(name, text)}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}
