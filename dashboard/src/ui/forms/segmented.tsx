import { ToggleGroup } from "radix-ui";

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  onChoose(value: Value): void;
}

/** A choice among a few options that are all visible. */
export function Segmented<Value extends string>({ label, value, choices, onChoose }: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => (next ? onChoose(next as Value) : undefined)}
      className="inline-flex rounded-lg bg-sunken p-0.5"
    >
      {choices.map((choice) => (
        <ToggleGroup.Item
          key={choice.value}
          value={choice.value}
          className="h-8 rounded-md px-3 text-sm text-ink-soft data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-ink data-[state=on]:shadow-sm dark:data-[state=on]:bg-line-strong/45"
        >
          {choice.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
