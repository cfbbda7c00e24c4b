import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { openRig } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

interface Wording {
  readonly language: string;
  readonly decision: { readonly text: string; readonly come: string; readonly other: string; readonly cancel: string };
  readonly day: string;
  readonly time: string;
  readonly people: string;
  readonly why: string;
  readonly check: string;
  readonly end: string;
}

/** The same agent in three languages: it confirms an appointment or moves it. Today is Monday, March 2, 2026. */
function appointment({ decision, ...texts }: Wording): FlowNode[] {
  return [
    {
      id: "decision",
      type: "ask",
      text: decision.text,
      answer: "choice",
      saveAs: "decision",
      otherwise: "end",
      exits: [
        { when: decision.come, next: "people" },
        { when: decision.other, next: "day" },
        { when: decision.cancel, next: "why" },
      ],
    },
    {
      id: "day",
      type: "ask",
      text: texts.day,
      answer: "date",
      saveAs: "day",
      exits: [],
      next: "time",
      otherwise: "end",
    },
    {
      id: "time",
      type: "ask",
      text: texts.time,
      answer: "time",
      saveAs: "time",
      exits: [],
      next: "check",
      otherwise: "end",
    },
    {
      id: "check",
      type: "ask",
      text: texts.check,
      answer: "yes_no",
      saveAs: "is_right",
      otherwise: "end",
      exits: [
        { when: "yes", next: "end" },
        { when: "no", next: "day" },
      ],
    },
    {
      id: "people",
      type: "ask",
      text: texts.people,
      answer: "number",
      saveAs: "people",
      exits: [],
      next: "end",
      otherwise: "end",
    },
    {
      id: "why",
      type: "ask",
      text: texts.why,
      answer: "free_text",
      saveAs: "why",
      exits: [],
      next: "end",
      otherwise: "end",
    },
    { id: "end", type: "end", text: texts.end },
  ];
}

const GERMAN: Wording = {
  language: "de-DE",
  decision: {
    text: "Kommen Sie zu Ihrem Termin, möchten Sie einen anderen Tag oder absagen?",
    ...{ come: "ich komme", other: "einen anderen Tag", cancel: "absagen" },
  },
  day: "Welcher Tag passt Ihnen?",
  time: "Um wie viel Uhr?",
  people: "Mit wie vielen Personen kommen Sie?",
  why: "Warum möchten Sie absagen?",
  check: "Also am {{day}} um {{time}}. Stimmt das?",
  end: "Auf Wiederhören.",
};

const SPANISH: Wording = {
  language: "es-ES",
  decision: {
    text: "¿Vendrá a su cita, prefiere otro día o quiere cancelarla?",
    ...{ come: "voy a ir", other: "otro día", cancel: "cancelar" },
  },
  day: "¿Qué día le viene bien?",
  time: "¿A qué hora?",
  people: "¿Cuántas personas vendrán?",
  why: "¿Por qué quiere cancelar?",
  check: "Entonces {{day}} a las {{time}}. ¿Es correcto?",
  end: "Adiós.",
};

const FRENCH: Wording = {
  language: "fr-FR",
  decision: {
    text: "Viendrez-vous à votre rendez-vous, préférez-vous un autre jour ou voulez-vous annuler ?",
    ...{ come: "je viens", other: "un autre jour", cancel: "annuler" },
  },
  day: "Quel jour vous convient ?",
  time: "À quelle heure ?",
  people: "Combien de personnes viendront ?",
  why: "Pourquoi voulez-vous annuler ?",
  check: "Donc {{day}} à {{time}}. C'est bien ça ?",
  end: "Au revoir.",
};

const hold = (wording: Wording, lines: readonly string[]) =>
  talk(openRig(appointment(wording), { language: wording.language }).brain, lines);

describe.each([
  {
    wording: GERMAN,
    move: ["Einen anderen Tag, bitte.", "Am Donnerstag.", "Um halb vier nachmittags.", "Ja, genau."],
    readBack: "Also am Donnerstag, 5. März um 15:30. Stimmt das?",
    refuse: ["Einen anderen Tag.", "Am Freitag.", "Um zehn Uhr.", "Nein, um elf Uhr.", "Ja."],
    people: ["Ja, ich komme.", "Zu dritt, also drei."],
    why: ["Ich möchte absagen.", "Ich bin leider krank geworden."],
    question: "Kann ich das später entscheiden?",
    machine: ["Sind Sie ein Roboter?", "Ja, ich bin ein automatischer Assistent"],
    stop: "Rufen Sie mich nie wieder an!",
    unclear: ["Blaue Banane.", "Entschuldigung, das habe ich nicht verstanden."],
  },
  {
    wording: SPANISH,
    move: ["Otro día, por favor.", "El jueves.", "A las tres y media de la tarde.", "Sí, correcto."],
    readBack: "Entonces jueves, cinco de marzo a las quince treinta. ¿Es correcto?",
    refuse: ["Otro día.", "El viernes.", "A las diez.", "No, a las once.", "Sí."],
    people: ["Sí, voy a ir.", "Tres."],
    why: ["Quiero cancelar.", "Me he puesto enfermo."],
    question: "¿Puedo decidirlo más tarde?",
    machine: ["¿Es usted un robot?", "Sí, soy un asistente automático"],
    stop: "No me vuelvan a llamar nunca más.",
    unclear: ["Plátano azul.", "Perdone, no lo he entendido."],
  },
  {
    wording: FRENCH,
    move: ["Un autre jour, s'il vous plaît.", "Jeudi.", "À quinze heures trente.", "Oui, c'est ça."],
    readBack: "Donc jeudi cinq mars à quinze heures trente. C'est bien ça ?",
    refuse: ["Un autre jour.", "Vendredi.", "À dix heures.", "Non, à onze heures.", "Oui."],
    people: ["Oui, je viens.", "Trois."],
    why: ["Je veux annuler.", "Je suis malade."],
    question: "Est-ce que je peux décider plus tard ?",
    machine: ["Vous êtes un robot ?", "Oui, je suis un assistant automatique"],
    stop: "Ne m'appelez plus jamais.",
    unclear: ["Banane bleue.", "Pardon, je n'ai pas compris."],
  },
])("an agent that speaks $wording.language", (callee) => {
  const { wording } = callee;

  it("moves an appointment, and reads it back in its language", async () => {
    const held = await hold(wording, callee.move);
    expect(held.replies).toContain(callee.readBack);
    expect(held.collected).toMatchObject({ decision: wording.decision.other, day: "2026-03-05", time: "15:30" });
    expect(held.collected["is_right"]).toBe(true);
    expect(held.ended).toBe("finished");
  });

  it("changes just the value that is corrected at the read-back", async () => {
    const held = await hold(wording, callee.refuse);
    expect(held.collected).toMatchObject({ day: "2026-03-06", time: "11:00", is_right: true });
  });

  it("understands a number", async () => {
    const held = await hold(wording, callee.people);
    expect(held.collected).toMatchObject({ decision: wording.decision.come, people: 3 });
  });

  it("collects free text as it was said", async () => {
    const held = await hold(wording, callee.why);
    expect(held.collected["why"]).toBe(callee.why[1]);
  });

  it("takes no question for an answer", async () => {
    expect((await hold(wording, [callee.question])).collected).toEqual({});
  });

  it("answers honestly that it is a machine, and asks again", async () => {
    const [asked = "", answered = ""] = callee.machine;
    const held = await hold(wording, [asked]);
    expect(held.replies[1]).toContain(answered);
    expect(held.replies[1]).toContain(wording.decision.text);
  });

  it("never calls again when asked not to", async () => {
    const held = await hold(wording, [callee.stop]);
    expect(held.parts).toContainEqual({ type: "suppress" });
    expect(held.ended).toBe("finished");
  });

  it("asks again what it did not understand, in its language", async () => {
    const [said = "", reply = ""] = callee.unclear;
    expect((await hold(wording, [said])).replies[1]).toContain(reply);
  });
});
