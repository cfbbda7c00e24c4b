import { checkText } from "@parley/providers/local/kokoro/speaking/voice-port";
import { hear, openFlowRig } from "@parley/voice/conversation/testing/flow-rig";
import { turnOf } from "@parley/voice/conversation/testing/talk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { APPOINTMENT_CONFIRMATION } from "../samples/appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "../samples/delivery-notice.ts";
import { PAYMENT_REMINDER } from "../samples/payment-reminder.ts";
import type { SampleAgent } from "../samples/sample-agent.ts";
import { SATISFACTION_SURVEY } from "../samples/satisfaction-survey.ts";

const SAMPLES: readonly (readonly [name: string, sample: SampleAgent, variables: Readonly<Record<string, string>>])[] =
  [
    [
      "appointment",
      APPOINTMENT_CONFIRMATION,
      { first_name: "Ada", appointment_time: "on Tuesday, March 3 at 10:30 am" },
    ],
    ["delivery", DELIVERY_NOTICE, { parcel: "with your new lamp", delivery_time: "tomorrow between 9 and 12" }],
    ["survey", SATISFACTION_SURVEY, { first_name: "Ada" }],
    ["payment", PAYMENT_REMINDER, { full_name: "Ada Lovelace", amount: "of $40", due_date: "on Friday" }],
  ];

const LINES = [
  ...["yes", "no", "maybe", "What?", "Hello?", "[1]", "[2]", "[9]", "[#]", "[silence]", "[mumbles]", "next Tuesday"],
  ...["No, Thursday.", "at ten", "five", "two or three", "bananas", "the first one", "neither", "another day"],
  ...["cancel", "already paid", "with the neighbor", "Who is this?", "Are you a robot?", "...", "hold on a second"],
  ...["on the 21st", "at 9:45", "half past two", "stop calling me", "call me later", "wrong number", "a human please"],
  ...["tomorrow", "say that again", "next year on March 5", "I need more time", "pay soon", "no, at noon", "goodbye"],
];

/** Everything the agent says in one conversation. */
async function saidIn(sample: SampleAgent, variables: Readonly<Record<string, string>>, lines: Iterable<string>) {
  const { brain } = openFlowRig(sample.flow, { variables });
  const said: string[] = [];
  let turnId = 1;
  let reply = await hear(brain, turnId, null);
  for (const line of lines) {
    said.push(...reply.parts.flatMap((part) => (part.type === "say" ? [part.text] : [])));
    if (reply.parts.some(({ type }) => type === "end")) break;
    turnId += 1;
    reply = await hear(brain, turnId, turnOf(line));
  }
  return said;
}

describe.each(SAMPLES)("everything the %s agent says", (_name, { flow }, given) => {
  const sample = SAMPLES.find(([, each]) => each.flow === flow)?.[1] as SampleAgent;

  it.each([{}, given])("can be said by the natural voice, with the variables %j", async (variables) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...LINES), { minLength: 30, maxLength: 30 }), async (lines) => {
        const said = await saidIn(sample, variables, lines);
        expect(said.length).toBeGreaterThan(0);
        for (const text of said) {
          expect(() => checkText(text, "af_heart")).not.toThrow();
          // Numbers, dates and signs were turned into words before.
          expect(text).not.toMatch(/[\d$€@#%&{}[\]]/);
        }
      }),
      { numRuns: 60 },
    );
  });
});
