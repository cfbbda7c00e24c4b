import type { AskNode } from "@parley/contract/flow-ask";
import { inLanguage } from "../../../languages/texts.ts";

type Kind = AskNode["answer"];

const NEVER_KNOWN = "left out: such an answer is never known in advance (for known answers use `choice`)";
const EXPECTED: Readonly<Record<Kind, string>> = {
  yes_no: "yes or no",
  number: "a number such as 3 or 2.5",
  date: "a date such as 2026-01-31",
  time: "a time of day such as 09:30",
  choice: "one of the options, in words",
  digits: "digits such as 0042",
  phone: NEVER_KNOWN,
  email: NEVER_KNOWN,
  name: NEVER_KNOWN,
  free_text: "left out: free text always continues at `otherwise` (for known answers use `choice`)",
};

const english = {
  // fix-note.ts
  fixDeleteNode: "Delete the node",
  fixAddStart: "Add a start",
  fixConnect: "Connect…",
  fixChangeId: "Change the ID",
  fixAddVariable: "Add as a call variable",
  fixAddVoicemail: "Add a voicemail message",
  fixDeleteAnswer: "Delete the answer",
  fixRemoveKey: "Remove the key",
  fixRemoveHere: "Remove it here",
  fixRemove: "Remove it",
  fixRemoveTool: "Remove the tool",
  fixDefaultModel: "Use the default model",
  fixDeleteTool: "Delete the tool",
  fixOfferCallback: "Offer a callback",
  fixAddAnswer: (missing: string) => `Add “${missing}”`,

  // problems-panel.tsx
  problems: "Problems",
  checking: "Checking the flow…",
  problem: "Problem",
  warning: "Warning",
  unfinished: "The new node is not finished yet",
  noProblems: "No problems",
  problemCount: (count: number) => (count === 1 ? "1 problem" : `${count} problems`),
  warningCount: (count: number) => (count === 1 ? "1 warning" : `${count} warnings`),

  // word-notes.ts
  settings: "Settings",
  tools: "Tools",
  variables: "Variables",
  emptyTexts: {
    "say:text": "Write what the agent says.",
    "ask:text": "Write the question.",
    "voicemail:text": "Write the message for the voicemail.",
    "end:text": "Write the last words, or remove them.",
    "conversation:prompt": "Describe what the language model should do.",
  },
  unreadText: (field: string) => `“${field}” is not valid JSON, so it is not saved. Complete or empty it.`,
  emptyText: (field: string) => `Fill in “${field}”.`,
  noStart: "Add a start node and connect it to the first thing the agent says.",
  manyStarts: (first: string) => `Delete this start or the other one: the call already begins at “${first}”.`,
  duplicateId: (id: string) => `Change the ID: another node is also called “${id}”.`,
  unknownMenuNode: "Choose where the call goes when a phone menu answers: the node it led to was deleted.",
  unknownNode: (exit: string) => `Choose where “${exit}” leads: the node it led to was deleted.`,
  leadsNowhere: (exit: string) => `Choose where “${exit}” leads.`,
  unreachable: "Connect an exit to this node, or delete it: no call gets here.",
  noWayToEnd: "Add a way to an End node: from here a call would go around in circles.",
  undeclaredVariable: (name: string) =>
    `Add “${name}” as a call variable, or correct the spelling: nothing provides it.`,
  collectedLater: (name: string) => `Ask for “${name}” earlier: it is used here before any node saves it.`,
  badMarkup: (field: string, mistake: string) => `Correct the markup in “${field}”: it ${mistake}.`,
  badBraces: (field: string) => `Complete the {{name}} in “${field}”: the double braces do not match.`,
  badBrackets: (field: string) => `Put a {{name}} into the [[optional part]] in “${field}”, or close it.`,
  badPlaceholder: (name: string, field: string) =>
    `Rename {{${name}}} in “${field}”: use lowercase letters, digits and underscores.`,
  exitDoesNotFit: (when: string, kind: Kind) => `Change the answer “${when}”: it must be ${EXPECTED[kind]}.`,
  duplicateExit: (when: string) => `Delete or change one of the two answers “${when}”: only the first is used.`,
  duplicateKey: (key: string) => `Choose another key: two answers use ${key}.`,
  emptyRange: (min: string, max: string) => `Correct the range: nothing lies between ${min} and ${max}.`,
  fieldDoesNotFit: (field: string) => `Remove “${field}”: it does not apply to this kind of answer.`,
  noChoices: "Add the options that callees can choose from.",
  noConditions: "Add a condition, or delete this branch: without one it does nothing.",
  conditionsTooLong: "Shorten the conditions: together they are too long.",
  emptyCondition: (number: string) => `Write condition ${number}.`,
  badCondition: (number: string, mistake: string) => `Correct condition ${number}: ${mistake}`,
  emptyValue: (number: string) => `Write value ${number}.`,
  badValue: (number: string, mistake: string) => `Correct value ${number}: ${mistake}`,
  badExpression: (message: string) => message,
  nothingToSet: "Add a value to save, or delete this node.",
  endlessBranching: "Say or ask something on the way: this node can lead back to itself without a word.",
  globalWithoutPhrases: "Add what callees say to get here.",
  globalReturns: "Disconnect this node: it returns to the open question by itself.",
  manyGlobals: "Make fewer nodes reachable from any question: there are too many to tell apart.",
  duplicatePhrase: (phrase: string, other: string) => `Remove “${phrase}” here or in “${other}”: it leads to both.`,
  manyVoicemails: "Delete this voicemail message or the other one: only one can be left.",
  noVoicemail: "Add a voicemail node with the message to leave, or choose to hang up on voicemails.",
  badUrl: "Enter a URL such as https://api.example.com/orders/{{number}}.",
  bodyOfGet: "Remove the body or use POST: servers ignore the body of a GET request.",
  reservedHeader: (header: string) => `Remove the header ${header}: the service sets it.`,
  brokenHeader: (header: string) => `Remove the line break from the header ${header}.`,
  emptyPath: "Enter the part of the reply to save, such as slots[0].start, or $ for all of it.",
  badPath: (path: string) => `Correct “${path}”: use a path such as slots[0].start, or $ for the whole reply.`,
  emptyNumber: "Enter the phone number to connect to, such as +15550100001.",
  badNumber: (to: string) => `Correct the phone number “${to}”: write it like +15550100001, or use a {{name}}.`,
  emptyKeys: "Enter the keys to press.",
  badKeys: (keys: string) => `Correct the keys “${keys}”: use digits, * and #, or a {{name}}.`,
  unknownTool: (tool: string) => `Choose another tool: “${tool}” was deleted.`,
  duplicateTool: (tool: string) => `Rename one of the two tools called “${tool}”.`,
  duplicateParameter: (tool: string) => `Rename one of the parameters of “${tool}”: two have the same name.`,
  badGroup: (message: string) => message,
  noModel: "Needs a language model, and none is set up. Calls cannot use this agent until one is.",
  unknownModel: (requested: string, used: string) =>
    `The model “${requested}” is not set up; calls use “${used}” instead.`,
  unusedVariable: (name: string) => `The call variable “${name}” is never used.`,
  unusedTool: (name: string) => `No conversation uses the tool “${name}”.`,
  answerUnused: "Add expected answers, or save the answer: as it is, the answer is not used.",
  missingAnswer: (missing: string) => `Add an answer for “${missing}”: until then it counts as not understood.`,
  nothingOffered: (title: string) =>
    `Callees who are not understood at “${title}” are offered neither a callback nor a person before the call ends. Settings > Callbacks decides.`,
  loopWithoutQuestion:
    "A call can come back here again and again without the callee being asked. Ask something on the way, or count the attempts.",
  indistinctExits: (part: (name: string) => string) =>
    `The answers ${part("one")} and ${part("two")} are hard to tell apart: ${part("clash")}. ${part("advice")}`,
  hiddenMachine:
    "Say here that a machine is speaking. Callees who ask must be told, so calls also say the standard sentence.",
  vagueExit: (exit: string, examples: string) =>
    `Add phrases to the answer ${exit}: callees rarely say that word. For example ${examples}.`,
  // The service words these in English.
  indistinctExitsMessage: (message: string) => message,
  misunderstoodPhraseMessage: (message: string, _phrase: string) => message,
  misunderstoodPhrase: (phrase: string, exit: string, other: string) =>
    `The agent may ask back when the callee says “${phrase}” for “${exit}”: ${other === "" ? "on its own it does not sound like an answer to the question" : `it sounds more like “${other}”`}. Rephrase it as a sentence that says what “${exit}” means, or move it to the answer that callees mean by it.`,
  unspokenLanguage: (message: string, _engine: string, _language: string) => message,
  unsuitedEngine: (message: string, _engine: string) => message,
  noOtherVoice: (message: string, _language: string) => message,
  unusableMcpTool: (message: string, _tool: string) => message,
  untranslatedText: (text: string, language: string, more: number) =>
    `Translate “${text}” into ${language}${more === 0 ? "" : `, and ${more} more`}: until everything that is said has a translation, the language is not offered.`,
};

export type ProblemsText = typeof english;

export const problemsText = inLanguage("flow-editor/problems", english);
