import type { Flow } from "@parley/contract/flow";
import type { FlowWarning } from "./problem.ts";

/**
 * Callees who ask whether they speak with a machine are always told so. These rules know how it is said in the languages
 * of the standard texts.
 */

const MACHINE =
  "(?:automat|automát|artific|künstlich|virtu[ae]l|machine|maschine|máquina|computer|ordenador|ordinateur|robot|\\bbot\\b|\\b(?:a\\.?i\\.?|ki|ia)\\b)";
const SAYS_MACHINE = new RegExp(MACHINE, "i");
const NOT_MACHINE = new RegExp(
  `(?:\\b(?:not|no|never|nicht|kein\\w*|pas|non|ni)\\b|n['’]t\\b)[^.,;:!?]{0,20}${MACHINE}`,
  "i",
);
const NOT_SELF = new RegExp(
  `\\b(?:(?:i['’]?m|i am|this is|bin|ist)(?: (?:really|definitely|certainly|actually|wirklich))? (?:not|no|nicht|kein\\w*)|this isn['’]t|je ne suis pas|no soy) (?:(?:a|an|any|some|the|ein\\w*|une?|una?) )?(?:(?:real|mere|stupid|talking) )?${MACHINE}`,
  "i",
);
const CLAIMS_PERSON =
  /\b(?:i['’]?m|i am|this is|you['’]?re (?:talking|speaking) (?:to|with)|you are (?:talking|speaking) (?:to|with)|bin|je suis|c['’]est|soy)\s+(?:(?:indeed|really|actually|definitely|of course|just|only|all|very much|wirklich|natürlich|vraiment|bien|realmente)\s+)?(?:(?:a|an|the|ein\w*|une?|una?)\s+)?(?:(?:real|actual|live|living|human|normal|echter?|richtiger?|vraie?|verdadera?)\s+)*(?:person|human(?: being)?|man|woman|employee|mensch|mitarbeiter(?:in)?|humain\w*|personne|humano|humana|persona)\b/i;

/** Whether a text denies it of the one who speaks: "That's not an automatic renewal" does not. */
export function deniesMachine(text: string): boolean {
  return NOT_SELF.test(text) || CLAIMS_PERSON.test(text);
}

/** Whether a text says that a machine is speaking. */
export function saysMachine(text: string): boolean {
  return SAYS_MACHINE.test(text) && !NOT_MACHINE.test(text) && !CLAIMS_PERSON.test(text);
}

/** How callees ask, among the phrases of a global node. */
const ASKS_FOR_MACHINE = new RegExp(
  `^(?:are you|is this|is that|am i (?:talking|speaking) (?:to|with)|sind sie|bist du|ist das|êtes[- ]vous|vous êtes|es usted|eres)\\b.*(?:${MACHINE}|\\b(?:real|human|recording|mensch|humain|humano)\\b)`,
  "i",
);

/** Finds answers to "Are you a robot?" that do not say it. Calls add the standard sentence to them. */
export function warnOfDenials({ nodes, settings }: Flow): FlowWarning[] {
  const own = settings?.phrases?.machine;
  const advice = "Callees who ask must learn that a machine is speaking, so calls say the standard sentence as well.";
  const phrase: FlowWarning[] =
    own === undefined || saysMachine(own)
      ? []
      : [
          {
            ...{ code: "hidden_machine", nodeId: null, path: "settings.phrases.machine" },
            message: `The phrase machine does not say that a machine is speaking. ${advice}`,
          },
        ];
  const globals = nodes.flatMap((node, index): FlowWarning[] => {
    if (!("global" in node) || !(node.global?.phrases ?? []).some((each) => ASKS_FOR_MACHINE.test(each.trim())))
      return [];
    if ("text" in node && saysMachine(node.text ?? "")) return [];
    const message = `The node ${node.id} answers callees who ask whether they speak with a machine, and does not begin by saying so. ${advice}`;
    return [{ code: "hidden_machine", nodeId: node.id, path: `nodes[${index}]`, message }];
  });
  return [...phrase, ...globals];
}
