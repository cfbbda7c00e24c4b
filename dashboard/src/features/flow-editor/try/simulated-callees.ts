/** Whom the simulated network lets an agent meet, by the last digits of the number. */
export const SIMULATED_CALLEES: readonly { readonly digits: string; readonly who: string }[] = [
  { digits: "0001", who: "A friendly person" },
  { digits: "0010", who: "Somebody who interrupts" },
  { digits: "0014", who: "Somebody who speaks slowly, with long pauses" },
  { digits: "0016", who: "Somebody who says “mhm” meanwhile" },
  { digits: "0011", who: "Somebody who hangs up mid-sentence" },
  { digits: "0009", who: "Somebody who stays silent" },
  { digits: "0012", who: "A person on a noisy line" },
  { digits: "0015", who: "A line with an echo" },
  { digits: "0017", who: "Somebody who puts the agent on hold" },
  { digits: "0007", who: "A voicemail" },
  { digits: "0018", who: "Call screening" },
  { digits: "0008", who: "A phone menu (press 1)" },
  { digits: "0019", who: "A fax machine" },
  { digits: "0013", who: "An answer without any sound" },
  { digits: "0002", who: "Busy" },
  { digits: "0003", who: "Nobody answers" },
  { digits: "0004", who: "Somebody who declines" },
  { digits: "0005", who: "A number that does not exist" },
  { digits: "0006", who: "A network that fails" },
];

/** A number that no telephone has, and that ends so. */
export function numberOf(digits: string): string {
  return `+1555010${digits}`;
}
