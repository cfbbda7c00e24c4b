import { Select } from "../../ui/forms/field.tsx";
import { usageText } from "./text.ts";
import type { Grouping } from "./usage-search.ts";
import { GROUPING_TITLES } from "./usage-words.ts";

interface GroupingSelectProps<Choice extends Grouping> {
  readonly by: Choice;
  readonly choices: readonly Choice[];
  onChoose(by: Choice): void;
}

/** What calls are grouped by. */
export function GroupingSelect<Choice extends Grouping>({ by, choices, onChoose }: GroupingSelectProps<Choice>) {
  return (
    <Select
      aria-label={usageText.groupBy}
      value={by}
      onChange={(event) => {
        const chosen = choices.find((each) => each === event.target.value);
        if (chosen) onChoose(chosen);
      }}
      className="sm:w-44"
    >
      {choices.map((value) => (
        <option key={value} value={value}>
          {GROUPING_TITLES[value]}
        </option>
      ))}
    </Select>
  );
}
