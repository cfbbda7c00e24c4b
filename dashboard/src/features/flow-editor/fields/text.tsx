import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const english = {
  // choice-fields.tsx
  nowhere: "Nowhere",
  targetIsMissing: (nodeId: string) => `${nodeId} (is not there)`,
  showWhereLeads: (label: string) => `Show where “${label}” leads`,
  yes: "Yes",
  no: "No",
  noTools: "This flow has none yet. They are made in the settings of the agent, under Tools.",
  toolIsMissing: "is not there",
  noMcpTools: "None is approved yet. They are added in the settings, under MCP servers.",
  toolIsNotApproved: "is not approved",
  defaultModel: (name: string | undefined) =>
    name === undefined ? "The installation's model" : `The installation's model (${name})`,
  modelsUnknown: "Which models are set up could not be found out.",
  modelNotSetUp: (wished: string) => `${wished} (not set up)`,
  noModels: "No language model is set up",
  connectModel: (link: (label: string) => ReactNode) => (
    <>
      One key is enough: {link("connect one under Operator > Providers")}. With several you choose here which one this
      node asks.
    </>
  ),
  askOperator:
    "Ask the operator of this installation to connect one under Operator > Providers. With several you choose here which one this node asks.",
  asksInstead: (model: string) => `Calls ask ${model} in its place.`,
  asksModels: (model: string | null, others: readonly string[]) =>
    `${model === null ? "" : `Calls ask ${model}. `}${
      others.length === 0
        ? "It is the only one that is set up."
        : `When it fails or says nothing in time: ${others.join(", then ")}.`
    }`,

  // field-editor.tsx
  expressionHint: "Names and functions are offered while you write.",

  // The compiler words mistakes in expressions, in English.
  mistake: (message: string) => message,

  // field-labels.ts
  labels: {
    text: "What to say",
    "ask:text": "The question",
    "conversation:text": "First words (optional)",
    "transfer:text": "Words before (optional)",
    "end:text": "Last words (optional)",
    "voicemail:text": "The message",
    reworded: "The question in other words",
    answer: "What kind of answer",
    saveAs: "Keep the answer as",
    exits: "Expected answers",
    "branch:exits": "Conditions",
    "conversation:exits": "Over when",
    "exits[].when": "Answer",
    "branch:exits[].when": "Condition",
    "conversation:exits[].when": "In plain words",
    "exits[].next": "Go to",
    "exits[].phrases": "Other ways to say it",
    "exits[].key": "Key",
    "exits[].readBack": "Read back",
    prompts: "Conditions in plain words",
    "prompts[].when": "In plain words",
    "prompts[].next": "Go to",
    next: "Then go to",
    "ask:next": "Any other understood answer goes to",
    "tool:next": "After a good reply go to",
    otherwise: "Otherwise go to",
    "ask:otherwise": "Not understood goes to",
    failed: "If it fails go to",
    retries: "Ask again when not understood",
    "retries.max": "How often",
    "retries.texts": "What is said then",
    "retries.texts[]": "Time",
    confirm: "Read the answer back",
    "confirm.text": "In which words",
    range: "Only numbers in a range",
    "range.min": "From",
    "range.max": "To",
    digits: "How many digits",
    "digits.min": "At least",
    "digits.max": "At most",
    dates: "A day without a year is",
    interruptible: "The callee may interrupt",
    patience: "Patience",
    prompt: "What the model is to do",
    model: "Language model",
    tools: "Tools it may use",
    mcpTools: "Tools of MCP servers it may use",
    saves: "Values to keep",
    "saves[].saveAs": "Keep as",
    "saves[].kind": "Is a",
    "saves[].description": "What it is",
    "saves[].path": "Place in the reply",
    turnsMax: "Turns at most",
    optional: "Optional",
    values: "Values to set",
    "values[].saveAs": "Keep as",
    "values[].value": "Value",
    request: "Request",
    "request.method": "Method",
    "request.url": "URL",
    "request.headers": "Headers",
    "request.body": "Body (JSON)",
    "request.timeoutMs": "Give up after (ms)",
    filler: "Said when it takes long",
    to: "Phone number",
    outcome: "Outcome (optional)",
    success: "Did the call succeed? (optional)",
    how: "How",
    keys: "Keys to press",
    global: "The callee can get here from any question",
    "global.phrases": "By saying",
    "global.returns": "Then go back to the open question",
    greeting: "Who speaks first",
    disclosure: "Disclosure",
    identification: "Who calls and why",
    silence: "When the callee is silent",
    "silence.prompts": "What is said, in order",
    "silence.prompts[]": "Prompt",
    voicemail: "When a voicemail answers",
    phoneMenu: "When a phone menu answers go to",
    fillerAfterMs: "Say something after (ms)",
    secondOpinion: "Ask a language model what was meant",
    connectAfterFailures: "Connect callees to a person after failed retries",
    callback: "Callbacks",
    "callback.offer": "Offer a callback after failed retries",
    "callback.redial": "Call back automatically at the requested time",
    "callback.redialsMax": "Callbacks in a row at most",
    "callback.laterAfterMinutes": "Without a time, call back after (minutes)",
    limits: "Limit the turns of a call",
    "limits.turnsMax": "Turns at most",
    name: "Name",
    description: "What it does and when to use it",
    parameters: "What the model gives it",
    "parameters[].name": "Name",
    "parameters[].kind": "Is a",
    "parameters[].description": "What it is",
    "parameters[].required": "Always needed",
  },
  items: {
    exits: "Answer",
    "branch:exits": "Condition",
    "conversation:exits": "Ending",
    prompts: "Condition",
    saves: "Value",
    values: "Value",
    "retries.texts": "Text",
    "silence.prompts": "Prompt",
    parameters: "Parameter",
  },
  choices: {
    yes_no: "Yes or no",
    number: "number",
    date: "date",
    time: "time",
    name: "name",
    text: "text",
    quick: "quick",
    normal: "normal",
    patient: "patient",
    phone: "phone number",
    email: "e-mail address",
    choice: "one of several",
    free_text: "free text",
    digits: "digits or keys",
    boolean: "yes or no",
    after_hello: "the callee says hello",
    immediate: "the agent, at once",
    hang_up: "hang up",
    leave_message: "leave the message",
    continue: "speak as to a person",
    refer: "by the callee's own phone (refer)",
    bridge: "over a second connection (bridge)",
    auto: "by what works (auto)",
    ahead: "ahead of today",
    behind: "behind us, as a birthday",
  },
  item: "Item",
  // The help texts come from the schema, in English.
  helpOf: (_subject: string, _pattern: string, text: string) => text,

  // list-fields.tsx
  moveUp: (item: string, number: number) => `Move up: ${item} ${number}`,
  moveDown: (item: string, number: number) => `Move down: ${item} ${number}`,
  removeItem: (item: string, number: number) => `Remove: ${item} ${number}`,
  addItem: (item: string) => `Add: ${item.toLowerCase()}`,
  removePhrase: (phrase: string) => `Remove “${phrase}”`,
  addPhrase: "Add a phrase and press Enter",
  headerName: (number: number) => `Name ${number}`,
  headerValue: (name: string, number: number) => `Value of ${name || `name ${number}`}`,
  removeHeader: (name: string, number: number) => `Remove ${name || `row ${number}`}`,
  addHeader: "Add a header",

  // plain-fields.tsx
  mustNotBeEmpty: "This must not be empty.",
  nameRule: "Small letters, digits and underscores; a letter first.",
  writeNumber: (isWhole: boolean, range: NumberRange | null) =>
    `Write ${isWhole ? "a whole number" : "a number"}${range === null ? "" : ` from ${range.min} to ${range.max}`}.`,
  defaultChoice: "Default",
  notJson: "This is no JSON yet, so it is not kept.",

  // schema-fields.ts
  newAnswer: (number: number) => `answer ${number}`,

  // speak-button.tsx
  hearIt: "Hear it",

  // text-fields.tsx
  names: "Names",
  letCallsBring: (name: string) => `Let calls bring “${name}”`,
};

export type EditorFieldsText = typeof english;

export const editorFieldsText = inLanguage("flow-editor/fields", english);
