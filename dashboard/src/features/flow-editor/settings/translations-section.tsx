import type { Flow } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { placeholderNames } from "@parley/flow/placeholders";
import { STANDARD_LANGUAGES } from "@parley/flow/standard-texts";
import { type TranslatableText, translatableTexts } from "@parley/flow/translate";
import { X } from "lucide-react";
import { Button } from "../../../ui/forms/button.tsx";
import { Field, SelectField } from "../../../ui/forms/field.tsx";
import { languageName } from "../../engines/engine-words.ts";
import { PlaceholderText } from "../fields/text-fields.tsx";
import { editorSettingsText } from "./text.ts";

type Translation = NonNullable<FlowSettings["translations"]>[number];

interface TranslationsSectionProps {
  readonly flow: Flow;
  /** The agent's, as a BCP 47 tag. */
  readonly language: string;
  onChange(translations: Translation[] | undefined): void;
}

/** As they are added here; the API takes other regions too. */
const TAGS: Readonly<Record<string, string>> = { en: "en-US", de: "de-DE", es: "es-ES", fr: "fr-FR" };

/** The texts of the agent in other languages, for callees who answer in one of them. */
export function TranslationsSection({ flow, language, onChange }: TranslationsSectionProps) {
  const translations = flow.settings?.translations ?? [];
  const texts = translatableTexts(flow);
  const keep = (next: readonly Translation[]) => onChange(next.length > 0 ? [...next] : undefined);
  const taken = new Set([language, ...translations.map((each) => each.language)].map(codeOf));
  const free = STANDARD_LANGUAGES.filter((code) => !taken.has(code)).map((code) => TAGS[code] ?? code);
  return (
    <div className="space-y-3">
      <p className="text-sm text-ink-soft">{editorSettingsText.translationsLead}</p>
      {translations.map((translation) => (
        <TranslationForm
          key={translation.language}
          translation={translation}
          texts={texts}
          onChange={(next) => keep(translations.map((old) => (old === translation ? next : old)))}
          onRemove={() => keep(translations.filter((old) => old !== translation))}
        />
      ))}
      {free.length > 0 ? (
        <SelectField
          label={editorSettingsText.addLanguage}
          value=""
          onChange={({ target }) => keep([...translations, { language: target.value, texts: {} }])}
        >
          <option value="" disabled>
            {editorSettingsText.choose}
          </option>
          {free.map((tag) => (
            <option key={tag} value={tag}>
              {nameOf(tag)}
            </option>
          ))}
        </SelectField>
      ) : null}
    </div>
  );
}

interface TranslationFormProps {
  readonly translation: Translation;
  readonly texts: readonly TranslatableText[];
  onChange(translation: Translation): void;
  onRemove(): void;
}

function TranslationForm({ translation, texts, onChange, onRemove }: TranslationFormProps) {
  const name = nameOf(translation.language);
  const isDone = ({ text }: TranslatableText) => (translation.texts[text] ?? "").trim() !== "";
  const needed = texts.filter(({ isNeeded }) => isNeeded);
  const missing = needed.filter((each) => !isDone(each)).length;
  const known = new Set(texts.map(({ text }) => text));
  const unused = Object.keys(translation.texts).filter((text) => !known.has(text));
  const set = (text: string, translated: string) => {
    const { [text]: _, ...rest } = translation.texts;
    onChange({ ...translation, texts: translated === "" ? rest : { ...rest, [text]: translated } });
  };
  const fields = (isNeeded: boolean) =>
    texts
      .filter((each) => each.isNeeded === isNeeded)
      .map(({ text }) => (
        <Field key={text} label={text}>
          {(control) => (
            <PlaceholderText
              control={control}
              value={translation.texts[text] ?? ""}
              names={placeholderNames(text)}
              charsMax={2000}
              placeholder={editorSettingsText.inThisLanguage(name)}
              onChange={(translated) => set(text, translated)}
            />
          )}
        </Field>
      ));
  return (
    <details className="rounded-xl border border-line px-3.5 py-3">
      <summary className="text-sm font-medium">
        {editorSettingsText.translationState(name, missing, needed.length)}
      </summary>
      <div className="mt-4 space-y-4">
        <p className="text-sm text-ink-soft">
          {missing === 0 ? editorSettingsText.isOffered(name) : editorSettingsText.isNotOfferedYet(name)}
        </p>
        {fields(true)}
        {texts.length > needed.length ? (
          <details>
            <summary className="text-sm font-medium">{editorSettingsText.optional}</summary>
            <p className="mt-2 text-sm text-ink-soft">{editorSettingsText.optionalLead(name)}</p>
            <div className="mt-4 space-y-4">{fields(false)}</div>
          </details>
        ) : null}
        {unused.map((text) => (
          <div key={text} className="flex items-start justify-between gap-3 text-sm">
            <p className="text-ink-soft">{editorSettingsText.noLongerSaid(text, translation.texts[text] ?? "")}</p>
            <Button look="quiet" size="small" onClick={() => set(text, "")}>
              {editorSettingsText.removeText}
            </Button>
          </div>
        ))}
        <Button size="small" look="quiet" onClick={onRemove}>
          <X aria-hidden="true" />
          {editorSettingsText.removeLanguage(name)}
        </Button>
      </div>
    </details>
  );
}

/** The region is named only where it is another one than usual. */
function nameOf(tag: string): string {
  const code = codeOf(tag);
  return languageName(TAGS[code] === tag ? code : tag);
}

function codeOf(tag: string): string {
  return tag.split("-")[0] ?? tag;
}
