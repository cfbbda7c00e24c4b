/** A number we claim, and the most it may be. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly max: number;
  readonly unit?: string;
}

/** Prints one line per goal. Returns whether all were met. */
export function printGoals(bench: string, goals: readonly Goal[]): boolean {
  console.log("");
  for (const { name, value, max, unit = "" } of goals) {
    console.log(
      `${bench}.${name}: ${value.toFixed(2)}${unit} (goal ${max}${unit}, ${value <= max ? "met" : "missed"})`,
    );
  }
  return goals.every((goal) => goal.value <= goal.max);
}
