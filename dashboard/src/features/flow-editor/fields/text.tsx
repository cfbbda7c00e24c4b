import type { ReactNode } from "react";
import { inLanguage } from "../../../languages/texts.ts";

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

const english = {
  // choice-fields.tsx
  nowhere: "Nowhere",
  targetIsMissing: (nodeId: string) => `${nodeId} (missing)`,
  showWhereLeads: (label: string) => `Show where “${label}” leads`,
  yes: "Yes",
  no: "No",
  noTools: "This flow has no tools yet. Add them in the agent’s settings, under Tools.",
  toolIsMissing: "missing",
  noMcpTools: "No tools are approved yet. Add a server and approve its tools under Settings > MCP servers.",
  toolIsNotApproved: "not approved",
  defaultModel: (name: string | undefined) =>
    name === undefined ? "The installation’s model" : `The installation’s model (${name})`,
  modelsUnknown: "The list of models could not be loaded.",
  modelNotSetUp: (wished: string) => `${wished} (not set up)`,
  noModels: "No language model is set up",
  connectModel: (link: (label: string) => ReactNode) => (
    <>
      One key is enough: {link("connect one under Operator > Providers")}. If there are several, choose the one for this
      node here.
    </>
  ),
  askOperator:
    "Ask the operator of this installation to connect one under Operator > Providers. If there are several, choose the one for this node here.",
  asksInstead: (model: string) => `Calls use ${model} instead.`,
  asksModels: (model: string | null, others: readonly string[]) =>
    `${model === null ? "" : `Calls use ${model}. `}${
      others.length === 0
        ? "It is the only one set up."
        : `If it fails or does not reply in time: ${others.join(", then ")}.`
    }`,

  // field-editor.tsx
  expressionHint: "Names and functions are suggested as you type.",

  // The compiler words mistakes in expressions, in English.
  mistake: (message: string) => message,

  // field-labels.ts
  labels: {
    text: "What to say",
    "ask:text": "The question",
    "conversation:text": "First words (optional)",
    "transfer:text": "Say first (optional)",
    "end:text": "Last words (optional)",
    "voicemail:text": "The message",
    reworded: "The question, reworded",
    answer: "Answer type",
    saveAs: "Save answer as",
    exits: "Expected answers",
    "branch:exits": "Conditions",
    "conversation:exits": "Ends when",
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
    "ask:next": "For any other answer, go to",
    "tool:next": "On success, go to",
    otherwise: "Otherwise, go to",
    "ask:otherwise": "If not understood, go to",
    failed: "If it fails, go to",
    retries: "Ask again when not understood",
    "retries.max": "How many times",
    "retries.texts": "What to say",
    "retries.texts[]": "Time",
    confirm: "Read the answer back",
    "confirm.text": "Wording",
    range: "Limit to a range",
    "range.min": "From",
    "range.max": "To",
    digits: "How many digits",
    "digits.min": "At least",
    "digits.max": "At most",
    dates: "A date without a year is",
    interruptible: "The callee may interrupt",
    patience: "Patience",
    prompt: "Instructions for the model",
    model: "Language model",
    tools: "Tools it may use",
    mcpTools: "Tools of MCP servers it may use",
    saves: "Values to save",
    "saves[].saveAs": "Save as",
    "saves[].kind": "Type",
    "saves[].description": "What it is",
    "saves[].path": "Path in the reply",
    turnsMax: "Maximum turns",
    optional: "Optional",
    values: "Values to set",
    "values[].saveAs": "Save as",
    "values[].value": "Value",
    request: "Request",
    "request.method": "Method",
    "request.url": "URL",
    "request.headers": "Headers",
    "request.body": "Body (JSON)",
    "request.timeoutMs": "Give up after (ms)",
    filler: "Say while waiting",
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
    identification: "Who is calling and why",
    silence: "When the callee is silent",
    "silence.prompts": "What to say, in order",
    "silence.prompts[]": "Prompt",
    holdMusic: "When hold music plays",
    "holdMusic.askAfterMs": "Ask whether anyone is there after (ms)",
    "holdMusic.giveUpAfterMs": "Say goodbye and hang up after (ms)",
    voicemail: "When a voicemail answers",
    phoneMenu: "When a phone menu answers, go to",
    fillerAfterMs: "Say something after (ms)",
    secondOpinion: "Ask a language model what was meant",
    connectAfterFailures: "Connect callees to a person after failed retries",
    callback: "Callbacks",
    "callback.offer": "Offer a callback after failed retries",
    "callback.redial": "Call back automatically at the requested time",
    "callback.redialsMax": "Maximum callbacks in a row",
    "callback.laterAfterMinutes": "Without a time, call back after (minutes)",
    limits: "Limit the turns of a call",
    "limits.turnsMax": "Maximum turns",
    name: "Name",
    description: "What it does and when to use it",
    parameters: "Parameters",
    "parameters[].name": "Name",
    "parameters[].kind": "Type",
    "parameters[].description": "What it is",
    "parameters[].required": "Required",
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
    email: "email address",
    choice: "one of several",
    free_text: "free text",
    digits: "digits or keys",
    boolean: "yes or no",
    after_hello: "the callee says hello",
    immediate: "the agent, immediately",
    hang_up: "hang up",
    leave_message: "leave the message",
    continue: "speak as if to a person",
    refer: "by the callee’s phone (refer)",
    bridge: "over a second connection (bridge)",
    auto: "automatic (auto)",
    ahead: "in the future",
    behind: "in the past, like a birthday",
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
  mustNotBeEmpty: "This can’t be empty.",
  nameRule: "Lowercase letters, digits and underscores, starting with a letter.",
  writeNumber: (isWhole: boolean, range: NumberRange | null) =>
    `Enter ${isWhole ? "a whole number" : "a number"}${range === null ? "" : ` from ${range.min} to ${range.max}`}.`,
  defaultChoice: "Default",
  notJson: "This is not valid JSON yet, so it is not saved.",

  // schema-fields.ts
  newAnswer: (number: number) => `answer ${number}`,

  // speak-button.tsx
  hearIt: "Hear it",

  // text-fields.tsx
  names: "Names",
  letCallsBring: (name: string) => `Add “${name}” as a call variable`,
};

export type EditorFieldsText = typeof english;

export const editorFieldsText = inLanguage("flow-editor/fields", english);
