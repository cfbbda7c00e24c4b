import { FlowSettings, PHRASE_NAMES, type PhraseName } from "@parley/contract/flow-settings";
import { standardTexts } from "@parley/flow/standard-texts";
import { Field } from "../../../ui/forms/field.tsx";
import { useFieldScope } from "../fields/field-scope.tsx";
import { fieldsOf } from "../fields/schema-fields.ts";
import { SpeakButton } from "../fields/speak-button.tsx";
import { PlaceholderText } from "../fields/text-fields.tsx";

type Phrases = NonNullable<FlowSettings["phrases"]>;

interface PhraseListProps {
  readonly phrases: Phrases | undefined;
  /** The agent's, as a BCP 47 tag. */
  readonly language: string;
  onChange(phrases: Phrases | undefined): void;
}

/** When each of them is said. */
const WHEN: Readonly<Record<PhraseName, string>> = {
  unclear: "An answer was not understood",
  unclear_again: "An answer was not understood a second time",
  not_heard: "The callee could hardly be heard",
  not_heard_again: "The callee could hardly be heard a second time",
  again: "The callee asks to hear it again",
  here: "The callee asks whether anyone is there",
  take_your_time: "The callee asks for a moment",
  go_on: "The callee was cut short",
  corrected: "The callee corrects an answer",
  confirm: "A value is read back",
  confirm_again: "A value is read back a second time",
  confirm_choice: "A choice is read back",
  confirm_choice_again: "A choice is read back a second time",
  confirm_yes: "It may have been a yes",
  confirm_no: "It may have been a no",
  yes_or_no: "It is still not known whether it was a yes or a no",
  confirm_failed: "What was read back was wrong",
  clarify: "It may be either of two values",
  clarify_again: "It may still be either of two values",
  clarify_choice: "It may be either of two choices",
  clarify_choice_again: "It may still be either of two choices",
  which_day: "Only a month or a week was named",
  which_time: "Only a part of the day was named",
  which_time_between: "Two times were named that it lies between",
  press_choice: "Keys are offered for choices",
  press_digits: "Keys are offered for digits",
  press_yes_no: "Keys are offered for yes and no",
  offer_reason: "No answer was understood, before a callback is offered",
  offer_callback: "A callback is offered",
  offer_callback_again: "A callback is offered a second time",
  callback_noted: "The callee wants to be called back",
  no_human: "The callee asks for a human and there is none",
  machine: "The callee asks whether this is a machine",
  scam: "The callee suspects a scam",
  number_source: "The callee asks where the number comes from",
  how_long: "The callee asks how long it takes",
  how_much: "The callee asks about the price",
  how_much_known: "The callee asks about a price that was named before",
  insult: "The callee is rude",
  other_language: "The callee speaks another language",
  wrong_number: "It is the wrong number",
  not_person: "Someone else answers",
  deceased: "The person has died",
  child: "A child answers",
  driving: "The callee is driving",
  call_later: "The callee wants to be called later",
  do_not_call: "The callee does not want to be called again",
  farewell: "The callee says goodbye",
  trouble: "Something failed",
  moment: "Something takes long",
};

const HELP = fieldsOf(FlowSettings).find(({ name }) => name === "phrases")?.help ?? "";

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
        {count === 0 ? "All default texts" : `${count} of ${PHRASE_NAMES.length} customized`}
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
