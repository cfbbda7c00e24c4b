import { editorTryText } from "./text.tsx";

interface KeypadProps {
  readonly isDisabled: boolean;
  onPress(key: string): void;
}

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];

/** The keys of a telephone. */
export function Keypad({ isDisabled, onPress }: KeypadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend in sight.
    <div role="group" aria-label={editorTryText.phoneKeys} className="grid grid-cols-6 gap-1.5">
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          // Several keys are pressed in a row: the focus stays.
          aria-disabled={isDisabled}
          aria-label={editorTryText.pressKey(key)}
          onClick={() => (isDisabled ? undefined : onPress(key))}
          className="h-9 rounded-lg border border-line bg-surface font-mono text-sm hover:bg-sunken aria-disabled:opacity-55"
        >
          {key}
        </button>
      ))}
    </div>
  );
}
