import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it } from "vitest";
import type { AnswerReading } from "./answer.ts";
import type { Slots } from "./find-slots.ts";
import { parseUtterance } from "./parse-utterance.ts";
import { understandChoice } from "./understand-choice.ts";

const NO_SLOTS: Slots = { dates: [], times: [] };
const FRIDAY: Slots = { dates: ["2026-03-06"], times: [] };

function understand(ask: AskNode, text: string, slots = NO_SLOTS, exitForMoment: number | null = null) {
  return inShort(readingOf(ask, text, slots, exitForMoment));
}

/** How firmly it was said. */
function grounds(ask: AskNode, text: string): unknown {
  const reading = readingOf(ask, text, NO_SLOTS, null);
  return reading.type === "answer" || reading.type === "unsure" ? reading.grounds?.strength : null;
}

function readingOf(ask: AskNode, text: string, slots: Slots, exitForMoment: number | null): AnswerReading {
  const moment = { date: null, time: null };
  const question = {
    ask,
    text: ask.text,
    known: NO_SLOTS,
    exitForMoment,
    moment,
    within: null,
    dictated: "",
    calledNumber: null,
  };
  return understandChoice(parseUtterance(text), question, slots);
}

/** A value, "value?" for one that is asked about, "a | b" for a doubt, null for nothing. */
function inShort(reading: AnswerReading): unknown {
  switch (reading.type) {
    case "answer":
      return reading.answer.value;
    case "unsure":
      return `${reading.answer.value}?`;
    case "doubt":
      return reading.options.map(({ value }) => value).join(" | ");
    default:
      return null;
  }
}

const common = { id: "q", type: "ask", otherwise: "bye" } as const;
const tour: AskNode = {
  ...common,
  ...{ text: "Would you like to keep the guided tour?", answer: "yes_no" },
  exits: [
    { when: "yes", next: "a" },
    { when: "no", next: "b" },
  ],
};
const parcel: AskNode = {
  ...common,
  ...{ text: "Shall we keep it at the depot, bring it on another day, or send it back?", answer: "choice" },
  exits: [
    { when: "keep it at the depot", next: "a", phrases: ["yes", "I'll pick it up"] },
    { when: "another day", next: "b", phrases: ["bring it again", "try again"] },
    { when: "send it back", next: "c", phrases: ["no", "I don't want it", "return it"] },
  ],
};

describe("that's all", () => {
  it.each([
    ["Okay. Do you have any questions for us?", "That's all."],
    ["Is there anything else I can do for you?", "That's it, thanks."],
    ["Do you need anything else?", "No, I think that's everything"],
    ["Is there anything you'd like to ask us?", "well that will be all then"],
  ])("says that there is no more, where more is asked for: %s %s", (text, said) => {
    expect(understand({ ...tour, text }, said)).toBe(false);
  });

  it("agrees elsewhere", () => {
    expect(understand({ ...tour, text: "Two tickets for Friday, is that right?" }, "That's it.")).toBe(true);
  });

  it.each(["That's all very well, but who are you?", "That's everything I wanted to ask about"])(
    "is not said by a sentence that goes on: %s",
    (said) => {
      expect(understand({ ...tour, text: "Do you have any questions for us?" }, said)).not.toBe(false);
    },
  );
});

describe("a plain yes or no at choices", () => {
  const worded = (coming: readonly string[], canceled: readonly string[] = []): AskNode => ({
    ...common,
    ...{ text: "Will you come, or shall we cancel it?", answer: "choice" },
    exits: [
      { when: "I will come", next: "a", phrases: [...coming] },
      { when: "cancel it", next: "b", phrases: [...canceled] },
      { when: "another day", next: "c" },
    ],
  });

  it.each(["Absolutely.", "Sure.", "You bet.", "Yes."])(
    "means the choice that has any other form of it: %s",
    (said) => {
      expect(understand(worded(["yes please"]), said)).toBe("I will come");
      expect(understand(worded(["Sure"], ["nope"]), said)).toBe("I will come");
    },
  );

  it.each(["Nope.", "No way.", "Not really."])("and so does a refusal: %s", (said) => {
    expect(understand(worded(["sure"], ["no thanks"]), said)).toBe("cancel it");
    expect(understand(worded(["sure"]), said)).toBeNull();
  });

  it("means none if two choices have one, unless one has the very word", () => {
    expect(understand(worded(["sure"], ["definitely"]), "Absolutely.")).toBeNull();
    expect(understand(worded(["yes"], ["definitely"]), "Absolutely.")).toBe("I will come");
  });

  it.each(["okay", "all right", "right", "all good", "fine"])(
    "is not one that has a word that may describe it: %s",
    (phrase) => {
      expect(understand(worded([phrase]), "Yes.")).toBeNull();
    },
  );

  it("is not a longer phrase with a yes in it", () => {
    expect(understand(worded(["yes I will be there"]), "Absolutely.")).toBeNull();
  });
});

describe("a yes or a no", () => {
  it.each<[string, unknown]>([
    ["Yes.", true],
    ["You bet!", true],
    ["Absolutely, we would love that", true],
    ["I believe so.", true],
    ["We may as well", true],
    ["Not just yet.", false],
    ["I should not think so", false],
    ["I don't believe that works, no.", false],
    ["I don't see why not", true],
    ["Nope.", false],
    ["I'd rather not, we have a small child.", false],
    ["No way, it was dreadful last time.", false],
    ["Yes. No wait, no.", false],
    ["No... yes. Yes, keep it.", true],
  ])("is taken at once: %s", (text, value) => expect(understand(tour, text)).toBe(value));

  it.each<[string, unknown]>([
    ["Yes, but only if it's shorter.", "true?"],
    ["Yes, on Friday.", "true?"],
    ["Sure, I think my husband wanted to ask something about that.", "true?"],
    ["Yes, can you tell me what it costs?", "true?"],
  ])("is asked about when something comes with it: %s", (text, value) =>
    expect(understand(tour, text, /Friday/.test(text) ? FRIDAY : NO_SLOTS)).toBe(value),
  );

  it.each(["Maybe.", "I don't know yet.", "What tour?", "No idea.", "Let me think about it"])(
    "is neither: %s",
    (text) => expect(understand(tour, text)).toBeNull(),
  );

  it("is the beginning of a sentence when its words are said again", () => {
    expect(understand(tour, "I do, I do wonder what he is like.")).not.toBe(true);
    expect(understand(tour, "I would, I would.")).toBe(true);
  });

  it("is changed by a contrast after it, and not by one before", () => {
    expect(understand(tour, "Yes, but it is a long way.")).toBe("true?");
    expect(understand(tour, "It is a long way, but yes.")).toBe(true);
  });

  it("is in a short answer whose verb fits the question", () => {
    const arrived = { ...tour, text: "Have the chairs arrived?" };
    expect(grounds(arrived, "I did")).toBe("explicit");
    expect(grounds(tour, "I would")).toBe("explicit");
    expect(grounds(tour, "Well it was")).toBe("scattered");
    expect(grounds({ ...tour, text: "Was the guide on time?" }, "It was")).toBe("explicit");
  });
});

describe("one of several choices", () => {
  it.each<[string, unknown]>([
    ["I'll pick it up.", "keep it at the depot"],
    ["Send it back, please.", "send it back"],
    ["Could you try again?", "another day"],
    ["Yes, another day would be lovely... another day please.", "another day"],
    ["No, bring it again please.", "another day"],
    ["Send it back. Ah no, I'll pick it up.", "keep it at the depot"],
    ["I don't want another day, send it back.", "send it back"],
    ["Keep it at the depot. No wait, I don't want it.", "send it back"],
    ["I think another day.", "another day"],
    ["I guess I'll pick it up.", "keep it at the depot"],
    ["Send it back, um, no, I'll pick it up.", "keep it at the depot"],
  ])("%s: %s", (text, value) => expect(understand(parcel, text)).toBe(value));

  it("is not what it is said not to be", () => {
    expect(understand(parcel, "Don't send it back.")).toBe("keep it at the depot | another day");
    expect(understand(parcel, "Nobody is going to send it back.")).not.toBe("send it back");
  });

  it("is asked about when two were named", () => {
    expect(understand(parcel, "another day or send it back")).toBe("another day | send it back");
  });

  it("is asked about with a condition, a doubt or a question", () => {
    for (const text of [
      "Send it back if it's damaged.",
      "I might send it back.",
      "I think I might send it back.",
      "What if I send it back?",
    ]) {
      expect(understand(parcel, text), text).not.toBe("send it back");
    }
  });

  it("is the one that asks for a day when another day is named", () => {
    expect(understand(parcel, "Could I have it on Friday?", FRIDAY, 1)).toBe("another day");
    expect(understand(parcel, "I'm home on Friday.", FRIDAY, 1)).toBe("another day?");
    expect(understand(parcel, "Send it back on Friday.", FRIDAY, 1)).not.toBe("another day");
  });
});

it("takes a yes to a negated statement as a hint only", () => {
  const alone = { ...tour, text: "And nobody is riding along with you?" };
  expect(grounds(alone, "Yes.")).toBe("scattered");
  expect(grounds({ ...tour, text: "You're still coming, aren't you?" }, "Yes.")).toBe("explicit");
  expect(grounds({ ...tour, text: "Don't you want to keep it?" }, "Yes.")).toBe("explicit");
});

describe("a choice in other words", () => {
  const table: AskNode = {
    ...common,
    text: "Shall we seat you on the terrace, in the garden room, or put it off?",
    answer: "choice",
    exits: [
      { when: "the terrace", next: "a" },
      { when: "the garden room", next: "b" },
      { when: "put it off", next: "c", phrases: ["call it off"] },
    ],
  };

  it("is as clear with a frame around it as alone", () => {
    for (const text of [
      "Terrace.",
      "We'd like the terrace.",
      "The terrace would be lovely.",
      "Let's go with the terrace.",
    ])
      expect(grounds(table, text), text).toBe("explicit");
    expect(grounds(table, "The terrace has a broken railing.")).not.toBe("explicit");
  });

  it("is known by the last word of its name if no other has it", () => {
    const room: AskNode = {
      ...common,
      text: "Is it for the blue salon, the blue library, or your own marquee?",
      answer: "choice",
      exits: [
        { when: "the blue salon", next: "a" },
        { when: "the blue library", next: "b" },
        { when: "my own marquee", next: "c" },
      ],
    };
    expect(understand(room, "The marquee, please.")).toBe("my own marquee");
    expect(understand(room, "Salon.")).toBe("the blue salon");
    expect(understand(room, "The blue one.")).toBeNull();
    expect(understand(room, "The marquee blew over.")).not.toBe("my own marquee");
  });

  it("is asked about when a word of another choice is beside it", () => {
    expect(understand(table, "the terrace room")).toBe("the terrace?");
    expect(understand(table, "Not the garden room, the terrace.")).toBe("the terrace");
  });

  it("may be about someone if its own words are", () => {
    const keys: AskNode = {
      ...common,
      text: "Who will you have open up for us?",
      answer: "choice",
      exits: [
        { when: "the landlord", next: "a", phrases: ["the landlord opens"] },
        { when: "the gate stays open", next: "b" },
      ],
    };
    expect(understand(keys, "The landlord opens up.")).toBe("the landlord");
    expect(understand(keys, "My wife opens up.")).toBeNull();
  });

  it("needs the particle of its verb", () => {
    for (const text of ["Put it.", "I'll call"]) expect(understand(table, text), text).toBeNull();
    expect(understand(table, "We'll have to put dinner off.")).not.toBeNull();
  });

  it("is ruled out by a refusal that it stands in", () => {
    const visit: AskNode = {
      ...common,
      text: "Should our fitter come today, on Monday, or shall he phone first?",
      answer: "choice",
      exits: [
        { when: "today", next: "a" },
        { when: "Monday", next: "b" },
        { when: "phone first", next: "c" },
      ],
    };
    expect(understand(visit, "Not today.")).not.toBe("today");
    expect(understand(visit, "No need to phone first.")).not.toBe("phone first");
    expect(understand(visit, "Today.")).toBe("today");
  });

  it("is not taken when it is taken back, asked about, or of another number", () => {
    for (const text of [
      "The terrace, no, we'd be cold out there.",
      "The terrace costs how much",
      "Three terraces.",
      "The terrace and the garden room.",
    ])
      expect(understand(table, text), text).not.toBe("the terrace");
  });
});

describe("a yes that may mean either", () => {
  it("is asked about after an offer or a negated question with a tag", () => {
    const offer = { ...tour, text: "Would you like a jar of our honey with it?" };
    expect(understand(offer, "All set.")).toBe("true | false");
    const negated = { ...tour, text: "You don't need a ladder, do you?" };
    expect(understand(negated, "Right.")).toBe("true | false");
    expect(understand(negated, "No.")).toBe(false);
  });

  it("is none where a callee picks up or says who they are", () => {
    expect(understand(tour, "Yes, good morning!")).toBeNull();
    expect(understand(tour, "Yes, I can hear you.")).toBeNull();
  });

  it("allows what a callee does not object to", () => {
    const objection = { ...tour, text: "Would you object to a short film?" };
    expect(understand(objection, "Be my guest.")).toBe(false);
  });
});
