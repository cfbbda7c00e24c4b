/** The labels of fields, by their pattern in the document; those of one kind of node have its name before a colon. */
const LABELS: Readonly<Record<string, string>> = {
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
};

/** The labels of list items. */
const ITEMS: Readonly<Record<string, string>> = {
  exits: "Answer",
  "branch:exits": "Condition",
  "conversation:exits": "Ending",
  prompts: "Condition",
  saves: "Value",
  values: "Value",
  "retries.texts": "Text",
  "silence.prompts": "Prompt",
  parameters: "Parameter",
};

/** Labels of options; a value that is already a plain word is shown unchanged. */
const CHOICES: Readonly<Record<string, string>> = {
  yes_no: "Yes or no",
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
};

export function labelOf(subject: string, pattern: string): string {
  return LABELS[`${subject}:${pattern}`] ?? LABELS[pattern] ?? humanize(lastName(pattern));
}

export function itemWord(subject: string, pattern: string): string {
  return ITEMS[`${subject}:${pattern}`] ?? ITEMS[pattern] ?? "Item";
}

export function optionLabel(value: string): string {
  const word = CHOICES[value] ?? (/^[A-Z]+$/.test(value) ? value : value.replaceAll("_", " "));
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function lastName(pattern: string): string {
  return pattern.replaceAll("[]", "").split(".").at(-1) ?? pattern;
}

/** A field name as a label: maxTurns is "Max turns". */
function humanize(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
