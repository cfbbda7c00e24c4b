import type { FlowNode } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { describe, expect, it } from "vitest";
import type { ReplyPart } from "../ports/brain.ts";
import { languageOfClause } from "../ports/speech-notation.ts";
import { openRig, type RigOptions } from "./testing/flow-rig.ts";
import { type TalkLine, talk } from "./testing/talk.ts";

const NODES: FlowNode[] = [
  { id: "hello", type: "say", text: "Hello, this is Green Street Dental.", next: "coming" },
  {
    id: "coming",
    type: "ask",
    text: "Are you coming on Tuesday?",
    answer: "yes_no",
    saveAs: "coming",
    exits: [
      { when: "yes", next: "who" },
      { when: "no", next: "end" },
    ],
    otherwise: "end",
  },
  {
    id: "who",
    type: "ask",
    text: "Who comes with you?",
    answer: "choice",
    saveAs: "who",
    exits: [
      { when: "a friend", next: "end" },
      { when: "no one", next: "end" },
    ],
    otherwise: "end",
  },
  { id: "end", type: "end", text: "Thank you, goodbye." },
];

const SPANISH = {
  language: "es-ES",
  texts: {
    "Hello, this is Green Street Dental.": "Hola, le llamo de Green Street Dental.",
    "Are you coming on Tuesday?": "¿Viene usted el martes?",
    "Who comes with you?": "¿Quién viene con usted?",
    "a friend": "un amigo",
    "no one": "nadie",
    "Thank you, goodbye.": "Gracias, adiós.",
  },
};

const TRANSLATED: FlowSettings = { translations: [SPANISH], disclosure: undefined };

function hold(lines: readonly TalkLine[], options: RigOptions = {}) {
  return talk(openRig(NODES, { settings: TRANSLATED, spoken: ["es-ES", "fr", "de"], ...options }).brain, lines);
}

const noticed = (parts: readonly ReplyPart[]) =>
  parts.flatMap((part) => (part.type === "language_noticed" ? [part.language] : []));
const spokenIn = (parts: readonly ReplyPart[]) =>
  parts.flatMap((part) =>
    part.type === "say" ? [[languageOfClause(part.speech ?? part.text).language, part.text] as const] : [],
  );

describe("a callee who answers in a language into which the flow is translated", () => {
  it("is asked in that language whether to go on in it, and its words are no answer", async () => {
    const { replies, parts, collected } = await hold(["No, no le entiendo nada."]);
    expect(replies[1]).toBe("Veo que habla español. ¿Quiere que sigamos en español?");
    expect(noticed(parts)).toEqual(["es"]);
    expect(collected).toEqual({});
    expect(spokenIn(parts).at(-1)?.[0]).toBe("es-ES");
  });

  it("gets the whole call in that language after a yes, and the values stay those of the flow", async () => {
    const { replies, parts, collected, ended } = await hold([
      "Lo siento, no hablo inglés.",
      "Sí, por favor.",
      "Sí, claro.",
      "Un amigo.",
    ]);
    expect(replies.slice(2)).toEqual([
      "Hola, le llamo de Green Street Dental. Soy un asistente automático. ¿Viene usted el martes?",
      "¿Quién viene con usted?",
      "Gracias, adiós.",
    ]);
    expect(collected).toEqual({ coming: true, who: "a friend" });
    expect(ended).toBe("finished");
    const languages = new Set(
      spokenIn(parts)
        .slice(3)
        .map(([language]) => language),
    );
    expect([...languages]).toEqual(["es-ES"]);
  });

  it("is recognized in that language from the offer on, and in the agent's again after a no", async () => {
    const { brain } = openRig(NODES, { settings: TRANSLATED, spoken: ["es-ES"] });
    await talk(brain, ["¿Quién habla? No entiendo."]);
    expect(brain.expectation).toMatchObject({ kind: "yes_no", language: "es-ES" });
    const declined = openRig(NODES, { settings: TRANSLATED, spoken: ["es-ES"] }).brain;
    const { replies } = await talk(declined, ["¿Quién habla? No entiendo.", "No, English is fine."]);
    expect(replies.at(-1)).toBe("Are you coming on Tuesday?");
    expect(declined.expectation.language).toBeUndefined();
  });

  it("may choose with the keys", async () => {
    expect((await hold(["No hablo inglés", "[1]"])).replies.at(-1)).toContain("¿Viene usted el martes?");
    expect((await hold(["No hablo inglés", "[2]"])).replies.at(-1)).toBe("Are you coming on Tuesday?");
  });

  it("hears the names of choices in that language where keys are offered", async () => {
    const { replies } = await hold(["No hablo inglés", "sí", "sí", "[mumbles]", "[mumbles]"]);
    expect(replies.at(-1)).toMatch(/Pulse \w+ para: un amigo\. Pulse \w+ para: nadie\./);
  });

  it("is asked once more when the reply says neither, and then stays in the agent's language", async () => {
    const { replies } = await hold(["No hablo inglés", "[mumbles]", "[silence]"]);
    expect(replies.slice(1, 3)).toEqual([replies[1], replies[1]]);
    expect(replies[3]).toBe("Are you coming on Tuesday?");
  });

  it("is not asked again after a no", async () => {
    const { replies, parts } = await hold(["No hablo inglés", "No", "No le entiendo nada"]);
    expect(noticed(parts)).toEqual(["es"]);
    expect(replies.at(-1)).toContain("Are you coming on Tuesday?");
  });

  it("is offered it when asking for it in the agent's language", async () => {
    expect((await hold(["Do you speak Spanish?"])).replies[1]).toContain("¿Quiere que sigamos en español?");
  });

  it("is noticed after two turns of a word or two", async () => {
    const { replies, parts } = await hold(["Sí, dígame.", "Sí, claro."]);
    expect(replies[1]).toContain("Sorry, I didn't get that.");
    expect(replies[2]).toContain("¿Quiere que sigamos en español?");
    expect(noticed(parts)).toEqual(["es"]);
  });

  it("keeps what was collected before, and hears who is calling in that language", async () => {
    const { replies, collected } = await hold(["Yes, I am.", "Perdón, no le entiendo nada", "sí", "nadie"]);
    expect(replies[3]).toBe("Por supuesto. Soy un asistente automático. ¿Quién viene con usted?");
    expect(collected).toEqual({ coming: true, who: "no one" });
  });

  it("is understood as before when the turn is undone", async () => {
    const { brain } = openRig(NODES, { settings: TRANSLATED, spoken: ["es-ES"] });
    await talk(brain, ["No hablo inglés"]);
    brain.undo(2);
    expect(brain.expectation.language).toBeUndefined();
  });
});

describe("a callee who answers in a language that the agent cannot go on in", () => {
  it("is told so in that language where the voice can, and the question is asked again", async () => {
    const { replies, parts, collected } = await hold(["Nein, ich verstehe Sie nicht."]);
    expect(replies[1]).toBe("Es tut mir leid, ich spreche nur Englisch. Are you coming on Tuesday?");
    expect(
      spokenIn(parts)
        .slice(-2)
        .map(([language]) => language),
    ).toEqual(["de", null]);
    expect(noticed(parts)).toEqual(["de"]);
    expect(collected).toEqual({});
  });

  it("is told so in the agent's language where the voice cannot", async () => {
    const { replies } = await hold(["Je ne parle pas anglais."], { spoken: [] });
    expect(replies[1]).toBe("I'm sorry, I only speak English. Are you coming on Tuesday?");
  });

  it("is not offered a translation that the engine does not speak", async () => {
    const { replies } = await hold(["No hablo inglés."], { spoken: [] });
    expect(replies[1]).toBe("I'm sorry, I only speak English. Are you coming on Tuesday?");
  });

  it("is not offered a translation in which texts are missing", async () => {
    const { "Who comes with you?": _, ...texts } = SPANISH.texts;
    const settings = { translations: [{ language: "es-ES", texts }] };
    const { replies } = await hold(["No hablo inglés."], { settings });
    expect(replies[1]).toBe("Lo siento, solo puedo hablar inglés. Are you coming on Tuesday?");
  });

  it("is offered the callback that the flow has for callees who are not understood", async () => {
    const { replies } = await hold(["Ich spreche kein Englisch."], { settings: { callback: { offer: true } } });
    expect(replies[1]).toContain("Should we call you back another time?");
  });

  it("is noticed by what the recognizer reports, where its words are not known", async () => {
    const { parts, replies } = await hold([
      { type: "said", text: "nie rozumiem co pan mówi", best: null, language: "pl" },
    ]);
    expect(noticed(parts)).toEqual(["pl"]);
    expect(replies[1]).toContain("I only speak English");
  });
});

describe("a callee who speaks the agent's language", () => {
  it("is not suspected of another for names, loan words, greetings and jokes", async () => {
    const lines = [
      "Juan Carlos García de la Cruz",
      "Ciao!",
      "OK",
      "gracias, but no, wait",
      "No problemo",
      "Hasta la vista, baby",
    ];
    for (const line of lines) {
      const { parts } = await hold([line]);
      expect([line, noticed(parts)]).toEqual([line, []]);
    }
  });

  it("is believed to, although the recognizer reports another language", async () => {
    const { parts, collected } = await hold([{ type: "said", text: "Yes", best: null, language: "es" }]);
    expect(noticed(parts)).toEqual([]);
    expect(collected).toEqual({ coming: true });
  });
});
