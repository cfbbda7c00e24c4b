const BARS = 8;
/** Speech is seldom near the loudest there can be; the meter shows its usual range. */
const FULL = 0.5;

/** How loud the microphone hears you. */
export function LevelMeter({ level }: { readonly level: number }) {
  const lit = Math.round(Math.min(1, Math.sqrt(level / FULL)) * BARS);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter cannot be dressed as bars.
    <span
      role="meter"
      aria-label="Microphone level"
      aria-valuemin={0}
      aria-valuemax={BARS}
      aria-valuenow={lit}
      className="flex items-end gap-0.5"
    >
      {Array.from({ length: BARS }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike.
          key={index}
          className={`w-1 rounded-sm ${HEIGHTS[index] ?? "h-5"} ${index < lit ? "bg-accent" : "bg-line"}`}
        />
      ))}
    </span>
  );
}

const HEIGHTS = ["h-1.5", "h-2", "h-2.5", "h-3", "h-3.5", "h-4", "h-4.5", "h-5"];
