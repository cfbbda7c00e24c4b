/** A number we claim, and the most or the least it may be. */
export type Goal = {
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
} & ({ readonly max: number; readonly min?: never } | { readonly min: number; readonly max?: never });

function isMet({ value, max, min }: Goal): boolean {
  return max === undefined ? value >= min : value <= max;
}

/** Prints one line per goal. Returns whether all were met. */
export function printGoals(bench: string, goals: readonly Goal[]): boolean {
  console.log("");
  for (const goal of goals) {
    const { name, value, max, min, unit = "" } = goal;
    console.log(
      `${bench}.${name}: ${value.toFixed(2)}${unit} (goal ${max ?? min}${unit}, ${isMet(goal) ? "met" : "missed"})`,
    );
  }
  return goals.every(isMet);
}
