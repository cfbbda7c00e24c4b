import type { FlowNode } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { type StandardTexts, standardTexts } from "@parley/flow/standard-texts";
import { describe, expect, it } from "vitest";
import type { Brain, ReplyPart } from "../ports/brain.ts";
import { languageOfClause, plainText } from "../ports/speech-notation.ts";
import { hear, listen, openRig, type RigOptions } from "./testing/flow-rig.ts";
import { talk, turnOf } from "./testing/talk.ts";

/** What agent and callee say in a language. */
const WORDS = {
  "en-US": {
    hello: "Hello, this is Green Street Dental.",
    coming: "Are you coming on Tuesday?",
    who: "Who comes with you?",
    noEnglish: "Sorry, I don't understand what you are saying.",
    yes: "Yes, please.",
    died: "My husband died last year.",
    whoCalls: "Who is calling?",
    machine: "Am I talking to a machine?",
    stop: "Please stop calling me.",
    bye: "Goodbye.",
  },
  "es-ES": {
    hello: "Hola, le llamo de Green Street Dental.",
    coming: "¿Viene usted el martes?",
    who: "¿Quién viene con usted?",
    noEnglish: "Lo siento, no le entiendo nada.",
    yes: "Sí, por favor.",
    died: "Mi marido ha muerto.",
    whoCalls: "¿Quién llama?",
    machine: "¿Es usted una máquina?",
    stop: "No me llame más.",
    bye: "Adiós.",
  },
  "de-DE": {
    hello: "Guten Tag, hier ist Green Street Dental.",
    coming: "Kommen Sie am Dienstag?",
    who: "Wer kommt mit Ihnen?",
    noEnglish: "Entschuldigung, ich verstehe Sie nicht.",
    yes: "Ja, bitte.",
    died: "Mein Mann ist gestorben.",
    whoCalls: "Wer ist da?",
    machine: "Sind Sie ein Roboter?",
    stop: "Rufen Sie mich nicht mehr an.",
    bye: "Auf Wiederhören.",
  },
  "fr-FR": {
    hello: "Bonjour, ici Green Street Dental.",
    coming: "Venez-vous mardi ?",
    who: "Qui vient avec vous ?",
    noEnglish: "Je suis désolé, je ne comprends pas ce que vous dites.",
    yes: "Oui, s'il vous plaît.",
    died: "Mon mari est décédé.",
    whoCalls: "Qui est à l'appareil ?",
    machine: "Vous êtes un robot ?",
    stop: "Ne m'appelez plus.",
    bye: "Au revoir.",
  },
} as const;

type Language = keyof typeof WORDS;

function nodesIn(language: Language): FlowNode[] {
  const { hello, coming, who, bye } = WORDS[language];
  const exits = [
    { when: "yes" as const, next: "who" },
    { when: "no" as const, next: "end" },
  ];
  return [
    { id: "hello", type: "say", text: hello, next: "coming" },
    { id: "coming", type: "ask", text: coming, answer: "yes_no", saveAs: "coming", exits, otherwise: "end" },
    { id: "who", type: "ask", text: who, answer: "name", saveAs: "who", exits: [], next: "end", otherwise: "end" },
    { id: "end", type: "end", text: bye },
  ];
}

function translations(own: Language, ...others: readonly Language[]): FlowSettings["translations"] {
  const keys = ["hello", "coming", "who", "bye"] as const;
  return others.map((language) => ({
    language,
    texts: Object.fromEntries(keys.map((key) => [WORDS[own][key], WORDS[language][key]])),
  }));
}

function open(
  own: Language,
  others: readonly Language[],
  settings: FlowSettings = {},
  options: RigOptions = {},
): Brain {
  const given = { translations: translations(own, ...others), disclosure: undefined, ...settings };
  return openRig(nodesIn(own), { language: own, spoken: others, settings: given, ...options }).brain;
}

const wordsOf = (parts: readonly ReplyPart[]) => parts.flatMap((part) => (part.type === "say" ? [part.text] : []));
const languagesOf = (parts: readonly ReplyPart[]) =>
  parts.flatMap((part) => (part.type === "say" ? [languageOfClause(part.speech ?? part.text).language] : []));

/** Plain words and language of a goodbye. */
function goodbye(brain: Brain) {
  const { language, clause } = languageOfClause(brain.farewell());
  return { language, text: plainText(clause) };
}

describe.each([
  ["en-US", "es-ES"],
  ["en-US", "de-DE"],
  ["en-US", "fr-FR"],
  ["es-ES", "en-US"],
  ["de-DE", "fr-FR"],
] as const)("a call in %s that has changed to %s", (own, other) => {
  const texts: StandardTexts = standardTexts(other);
  const said = WORDS[other];

  /** What the agent says to these turns after the change. */
  async function after(...lines: readonly string[]) {
    const brain = open(own, [other]);
    const { replies, parts } = await talk(brain, [said.noEnglish, said.yes, ...lines]);
    return { brain, replies: replies.slice(3), parts };
  }

  it.each([
    ["speech that was not heard well", "[mumbles]", texts.phrases.not_heard],
    ["silence", "[silence]", texts.silencePrompts[0] ?? ""],
    ["news of a death", said.died, texts.phrases.deceased],
    ["the question who is calling", said.whoCalls, said.hello],
    ["the question whether it is a machine", said.machine, texts.phrases.machine],
    ["the wish not to be called again", said.stop, texts.phrases.do_not_call],
  ])("answers %s in that language", async (_, line, wording) => {
    const { replies, parts } = await after(line);
    expect(replies[0]).toContain(plainText(wording));
    expect(languagesOf(parts).at(-1)).toBe(other);
  });

  it("says once that it is a machine", async () => {
    const { replies } = await after(said.machine);
    expect(replies[0]).not.toContain(texts.disclosure.plain);
  });

  it("ends in that language when the service has to end it", async () => {
    const { brain } = await after();
    expect(goodbye(brain)).toEqual({ language: other, text: texts.cutShort });
  });

  it("ends in the language of the offer while the callee has not answered it", async () => {
    const brain = open(own, [other]);
    await talk(brain, [said.noEnglish]);
    expect(goodbye(brain)).toEqual({ language: other, text: texts.cutShort });
  });

  it("ends in the agent's language before, and after a no", async () => {
    const brain = open(own, [other]);
    expect(goodbye(brain)).toEqual({ language: null, text: standardTexts(own).cutShort });
    await talk(brain, [said.noEnglish, "[2]"]);
    expect(goodbye(brain)).toEqual({ language: null, text: standardTexts(own).cutShort });
  });
});

describe("the goodbye of a call that the service ends", () => {
  it("is the agent's own, with its values and its translation", async () => {
    const farewell = "Thank you, {{name}}, goodbye.";
    const [spanish] = translations("en-US", "es-ES") ?? [];
    const texts = { ...spanish?.texts, [farewell]: "Gracias, {{name}}, adiós." };
    const settings: FlowSettings = { phrases: { farewell }, translations: [{ language: "es-ES", texts }] };
    const brain = open("en-US", ["es-ES"], settings, { variables: { name: "Ada" } });
    expect(goodbye(brain).text).toBe("Thank you, Ada, goodbye.");
    await talk(brain, [WORDS["es-ES"].noEnglish, "[1]"]);
    expect(goodbye(brain)).toEqual({ language: "es-ES", text: "Gracias, Ada, adiós." });
  });

  it("follows the callee back to the agent's language, and not a reply that is only prepared", async () => {
    const brain = open("en-US", ["es-ES"]);
    await talk(brain, [WORDS["es-ES"].noEnglish, "[1]"]);
    const signal = new AbortController().signal;
    const back = brain.prepare(9, turnOf("Sorry, I don't understand what you are saying."), signal);
    expect(goodbye(brain).language).toBe("es-ES");
    for await (const part of back) expect(part).toBeDefined();
    brain.commit(9);
    expect(goodbye(brain).language).toBeNull();
  });
});

describe("a change of language", () => {
  it("in the middle of the greeting introduces the agent in the new language only", async () => {
    const brain = open("en-US", ["es-ES"]);
    const greeting = listen(brain, 1, null);
    await greeting.over;
    greeting.cut("Hello, this");
    const offer = await hear(brain, 2, turnOf("No hablo inglés."));
    expect(offer.text()).toBe("Veo que habla español. ¿Quiere que sigamos en español?");
    const changed = await hear(brain, 3, turnOf("Sí"));
    expect(changed.text()).toBe(
      "Hola, le llamo de Green Street Dental. Soy un asistente automático. ¿Viene usted el martes?",
    );
  });

  it("that the callee declines leaves the introduction to be said in the agent's language", async () => {
    const brain = open("en-US", ["es-ES"]);
    const greeting = listen(brain, 1, null);
    await greeting.over;
    greeting.cut("Hello, this");
    await hear(brain, 2, turnOf("No hablo inglés."));
    const declined = await hear(brain, 3, turnOf("[2]"));
    expect(declined.text()).toBe(
      "Hello, this is Green Street Dental. I am an automated assistant. Are you coming on Tuesday?",
    );
  });

  it("stays when an earlier answer is corrected", async () => {
    const brain = open("en-US", ["es-ES"]);
    const { parts, collected } = await talk(brain, [
      "Yes",
      "No le entiendo nada",
      "[1]",
      "No, perdón, no voy a venir.",
    ]);
    expect(collected).toEqual({ coming: false });
    expect(languagesOf(parts).at(-1)).toBe("es-ES");
    expect(wordsOf(parts).at(-1)).toBe("Adiós.");
  });

  it("that is offered from another language and declined leaves the call in that one", async () => {
    const brain = open("en-US", ["es-ES", "fr-FR"]);
    const { replies } = await talk(brain, [WORDS["es-ES"].noEnglish, "[1]", WORDS["fr-FR"].noEnglish, "[2]"]);
    expect(replies.at(-1)).toBe("¿Viene usted el martes?");
    expect(goodbye(brain).language).toBe("es-ES");
  });
});
