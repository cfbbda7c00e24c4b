import { moveFocus } from "../move-focus.ts";

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  onChoose(value: Value): void;
}

/** A choice among a few options that are all visible. Arrow keys move the focus; Enter and Space choose. */
export function Segmented<Value extends string>({ label, value, choices, onChoose }: SegmentedProps<Value>) {
  const focusable = choices.some((choice) => choice.value === value) ? value : choices[0]?.value;
  return (
    <div role="radiogroup" aria-label={label} onKeyDown={moveFocus} className="inline-flex rounded-lg bg-sunken p-0.5">
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useSemanticElements: an input would choose what an arrow key passes.
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === focusable ? 0 : -1}
          onClick={() => (choice.value === value ? undefined : onChoose(choice.value))}
          className="inline-flex h-8 items-center rounded-md px-3 text-sm text-ink-soft aria-checked:bg-surface aria-checked:font-medium aria-checked:text-ink aria-checked:shadow-sm dark:aria-checked:bg-line-strong/45"
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
