import { PRONUNCIATIONS_MAX, Pronunciation } from "@parley/contract/pronunciations";
import { Plus, Trash2 } from "lucide-react";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { ListenButton } from "./listen-button.tsx";
import { voicesText } from "./text.ts";

interface PronunciationListProps {
  readonly list: readonly Pronunciation[];
  readonly voice?: string | undefined;
  readonly pace?: number | undefined;
  onChange(list: readonly Pronunciation[]): void;
}

/** How words are said, with a button to hear each. */
export function PronunciationList({ list, voice, pace, onChange }: PronunciationListProps) {
  const change = (index: number, entry: Partial<Pronunciation>) =>
    onChange(list.map((each, place) => (place === index ? { ...each, ...entry } : each)));
  return (
    <div className="space-y-4">
      {list.map((entry, index) => {
        const mistakes = mistakesIn(list, index);
        const isRight = mistakes.written === undefined && mistakes.spoken === undefined;
        return (
          // Entries have no other identity than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset key={index} className="space-y-2 rounded-xl bg-sunken/60 p-3">
            <legend className="sr-only">{voicesText.pronunciation(index + 1)}</legend>
            <TextField
              label={voicesText.written}
              dir="auto"
              maxLength={60}
              placeholder={voicesText.writtenExample}
              value={entry.written}
              error={mistakes.written}
              onChange={({ target }) => change(index, { written: target.value })}
            />
            <TextField
              label={voicesText.said}
              dir="auto"
              maxLength={80}
              placeholder={voicesText.saidExample}
              value={entry.spoken}
              error={mistakes.spoken}
              onChange={({ target }) => change(index, { spoken: target.value })}
            />
            <div className="flex items-center justify-between pt-1">
              <ListenButton
                text={entry.written}
                voice={voice}
                pace={pace}
                pronunciations={isRight ? [entry] : []}
                disabled={!isRight}
                title={voicesText.listenToEntry(entry.written)}
              />
              <Button
                look="quiet"
                size="icon"
                aria-label={voicesText.removeEntry(entry.written)}
                onClick={() => onChange(list.filter((_, place) => place !== index))}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </div>
          </fieldset>
        );
      })}
      <Button
        look="secondary"
        size="small"
        disabled={list.length >= PRONUNCIATIONS_MAX}
        onClick={() => onChange([...list, { written: "", spoken: "" }])}
      >
        <Plus aria-hidden="true" />
        {voicesText.addWord}
      </Button>
    </div>
  );
}

/** What is wrong with an entry. What was not filled in yet is not shown as a mistake. */
function mistakesIn(
  list: readonly Pronunciation[],
  index: number,
): { readonly written: string | undefined; readonly spoken: string | undefined } {
  const entry = list[index] ?? { written: "", spoken: "" };
  const issues = Pronunciation.safeParse(entry).error?.issues ?? [];
  const isWrong = (name: keyof Pronunciation) => issues.some(({ path }) => path[0] === name);
  const isTwice = list.some(
    ({ written }, place) => place < index && written.trim().toLowerCase() === entry.written.trim().toLowerCase(),
  );
  return {
    written:
      entry.written === ""
        ? voicesText.writtenIsEmpty
        : isTwice
          ? voicesText.writtenIsListed
          : isWrong("written")
            ? voicesText.writtenIsWrong
            : undefined,
    spoken: entry.spoken === "" ? voicesText.saidIsEmpty : isWrong("spoken") ? voicesText.saidIsWrong : undefined,
  };
}

/** The entries that can be saved. */
export function completeEntries(list: readonly Pronunciation[]): Pronunciation[] {
  return list.filter((_, index) => Object.values(mistakesIn(list, index)).every((mistake) => mistake === undefined));
}

export function hasMistakes(list: readonly Pronunciation[]): boolean {
  return completeEntries(list).length < list.length;
}
