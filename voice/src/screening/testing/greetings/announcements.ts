import { numberGreetings } from "./greeting.ts";

/** What a network says when nobody can be reached. */
export const ANNOUNCEMENTS = numberGreetings(
  "announcement",
  [
    ["We're sorry. The number you have dialed is not in service. Please check the number and dial again."],
    ["We're sorry, your call cannot be completed as dialed.", 500, "Please hang up and try again."],
    ["The wireless customer you are calling is not available. Please try again later."],
    ["The mobile phone you have called is switched off or out of coverage."],
    ["All circuits are busy now. Will you please try your call again later."],
  ].map((parts) => ({ parts })),
);
