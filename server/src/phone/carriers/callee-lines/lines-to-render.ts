import { CALLEE_BY_LAST_DIGITS } from "@parley/telephony/simulated-network/callee-behaviours";
import { PHRASE_BOOK } from "@parley/telephony/simulated-network/callees/phrase-book";
import { piecesOf } from "@parley/telephony/simulated-network/sound/pauses";

/** All that people of the simulated network say of themselves, and what scripts often let them say, piece by piece. */
export function linesToRender(): readonly string[] {
  const callees = [...CALLEE_BY_LAST_DIGITS.values()].filter((callee) => callee.does === "answers");
  const own = callees.flatMap(({ manner }) => manner.callee().lines);
  const spoken = own.filter(({ by }) => by !== "machine").map(({ text }) => text);
  // Whole lines first: they are needed most.
  const lines = [...spoken, ...PHRASE_BOOK].toSorted((one, other) => piecesOf(one).length - piecesOf(other).length);
  return [...new Set(lines.flatMap(piecesOf))];
}
