import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowProblem, FlowWarning, NoteParts } from "@parley/flow/problem";
import { labelOf } from "../fields/field-labels.ts";
import { exitsOf } from "../model/exits.ts";
import type { CompilerNotes, FlowNote, FlowNotes } from "../model/flow-notes.ts";
import { titleOf } from "../model/node-kinds.ts";
import { fixFor } from "./fix-note.ts";

type Found = FlowProblem | FlowWarning;

/** What a wording may use: the flow, the node it is about, and the parts of the finding. */
interface Context {
  readonly flow: Flow;
  readonly node: FlowNode | undefined;
  readonly path: string;
  /** A part of the finding; empty if the service that found it did not send it. */
  readonly part: (name: string) => string;
  /** The title of another node. */
  readonly titleOfId: (id: string) => string;
}

/** The findings of the compiler in words for the person who draws the flow: titles and verbs, with a fix where there is one. */
export function wordNotes(flow: Flow, { problems, warnings }: CompilerNotes): FlowNotes {
  return {
    problems: problems.map((found) => wordNote(flow, found)),
    warnings: warnings.map((found) => wordNote(flow, found)),
  };
}

function wordNote(flow: Flow, found: Found): FlowNote {
  const { code, nodeId, path, message } = found;
  const node = flow.nodes.find(({ id }) => id === nodeId);
  const parts: NoteParts = found.parts ?? {};
  const titleOfId = (id: string) => {
    const other = flow.nodes.find((each) => each.id === id);
    return other ? titleOf(other) : id;
  };
  const context: Context = { flow, node, path, part: (name) => parts[name] ?? "", titleOfId };
  const needsParts = found.parts === undefined && NEEDS_PARTS.has(code);
  const worded = needsParts ? null : WORDINGS[code](context);
  return {
    code,
    nodeId,
    path,
    place: node ? titleOf(node) : placeOf(path),
    message: worded ?? withoutId(message, nodeId),
    fix: fixFor(found),
  };
}

/** Findings of the service arrive as sentences alone. */
const NEEDS_PARTS: ReadonlySet<Found["code"]> = new Set(["indistinct_exits", "vague_exit", "misunderstood_phrase"]);

/** Sentences of the API begin with the node's id, which is on the canvas as a title. */
function withoutId(message: string, nodeId: string | null): string {
  if (nodeId === null || !message.startsWith(`The node ${nodeId} `)) return message;
  return `This node ${message.slice(`The node ${nodeId} `.length)}`;
}

function placeOf(path: string): string | null {
  if (path.startsWith("settings")) return "Settings";
  if (path.startsWith("tools")) return "Tools";
  if (path.startsWith("variables")) return "Variables";
  return null;
}

const WORDINGS: Readonly<Record<Found["code"], (context: Context) => string | null>> = {
  no_start: () => "Add a start node and connect it to the first thing the agent says.",
  many_starts: ({ part, titleOfId }) =>
    `Delete this start or the other one: the call already begins at ${quoted(titleOfId(part("first")))}.`,
  duplicate_id: ({ node }) => `Change the id: another node is called ${quoted(node?.id ?? "")} too.`,
  unknown_node: (context) =>
    context.node === undefined
      ? "Choose where the call goes when a phone menu answers: the node it led to was deleted."
      : `Choose where ${quoted(exitLabel(context))} leads: the node it led to was deleted.`,
  leads_nowhere: (context) => `Choose where ${quoted(exitLabel(context))} leads.`,
  unreachable: () => "Connect an exit to this node, or delete it: no call gets here.",
  no_way_to_end: () => "Add a way to an End node: from here a call would go around in circles.",
  undeclared_variable: ({ part }) =>
    `Add ${quoted(part("name"))} as a call variable, or correct the spelling: nothing provides it.`,
  collected_later: ({ part }) => `Ask for ${quoted(part("name"))} earlier: it is used here before any node saves it.`,
  bad_markup: (context) => `Correct the markup in ${quoted(fieldLabel(context))}: it ${context.part("mistake")}.`,
  bad_placeholder: (context) => {
    const where = quoted(fieldLabel(context));
    const { part } = context;
    if (part("reason") === "braces") return `Complete the {{name}} in ${where}: the double braces do not match.`;
    if (part("reason") === "brackets") return `Put a {{name}} into the [[optional part]] in ${where}, or close it.`;
    return `Rename {{${part("name")}}} in ${where}: use lower-case letters, digits and underscores.`;
  },
  empty_text: (context) => EMPTY_TEXTS[fieldOf(context)] ?? `Fill in ${quoted(fieldLabel(context))}.`,
  exit_does_not_fit: ({ part }) => `Change the answer ${quoted(part("when"))}: it must be ${part("expected")}.`,
  duplicate_exit: ({ part }) =>
    `Delete or change one of the two answers ${quoted(part("when"))}: only the first is used.`,
  duplicate_key: ({ part }) => `Choose another key: two answers use ${part("key")}.`,
  field_does_not_fit: (context) => {
    const { part } = context;
    if (part("min") !== "") return `Correct the range: nothing lies between ${part("min")} and ${part("max")}.`;
    return `Remove ${quoted(fieldLabel(context))}: it does not apply to this kind of answer.`;
  },
  no_choices: () => "Add the options that callees can choose from.",
  no_conditions: () => "Add a condition, or delete this branch: without one it does nothing.",
  bad_condition: ({ part }) => {
    if (part("tooLong") !== "") return "Shorten the conditions: together they are too long.";
    return part("text").trim() === ""
      ? `Write condition ${part("number")}.`
      : `Correct condition ${part("number")}: ${part("mistake")}`;
  },
  bad_expression: ({ part }) => {
    if (part("number") === "") return null;
    return part("text").trim() === ""
      ? `Write value ${part("number")}.`
      : `Correct value ${part("number")}: ${part("mistake")}`;
  },
  nothing_to_set: () => "Add a value to save, or delete this node.",
  endless_branching: () => "Say or ask something on the way: this node can lead back to itself without a word.",
  bad_global: ({ part }) => {
    if (part("reason") === "no_phrases") return "Add what callees say to get here.";
    if (part("reason") === "returns") return "Disconnect this node: it returns to the open question by itself.";
    return "Make fewer nodes reachable from any question: there are too many to tell apart.";
  },
  duplicate_phrase: ({ part, titleOfId }) =>
    `Remove ${quoted(part("phrase"))} here or in ${quoted(titleOfId(part("other")))}: it leads to both.`,
  many_voicemails: () => "Delete this voicemail message or the other one: only one can be left.",
  no_voicemail: () => "Add a voicemail node with the message to leave, or choose to hang up on voicemails.",
  bad_request: ({ part }) => {
    if (part("reason") === "url") return "Enter a URL such as https://api.example.com/orders/{{number}}.";
    if (part("reason") === "body") return "Remove the body or use POST: servers ignore the body of a GET request.";
    if (part("reason") === "header") return `Remove the header ${part("header")}: the service sets it.`;
    return `Remove the line break from the header ${part("header")}.`;
  },
  bad_path: ({ part }) =>
    part("path").trim() === ""
      ? "Enter which part of the reply to save, such as slots[0].start, or $ for all of it."
      : `Correct ${quoted(part("path"))}: use a path such as slots[0].start, or $ for the whole reply.`,
  bad_number: ({ part }) =>
    part("to").trim() === ""
      ? "Enter the phone number to connect to, such as +15550100001."
      : `Correct the phone number ${quoted(part("to"))}: write it like +15550100001, or use a {{name}}.`,
  bad_keys: ({ part }) =>
    part("keys").trim() === ""
      ? "Enter the keys to press."
      : `Correct the keys ${quoted(part("keys"))}: use digits, * and #, or a {{name}}.`,
  unknown_tool: ({ part }) => `Choose another tool: ${quoted(part("tool"))} was deleted.`,
  duplicate_tool: ({ part }) =>
    part("of") === "tools"
      ? `Rename one of the two tools called ${quoted(part("tool"))}.`
      : `Rename one of the parameters of ${quoted(part("tool"))}: two have the same name.`,
  no_model: () => "Needs a language model, and none is set up. Calls cannot use this agent until one is.",
  unknown_model: ({ part }) =>
    `The model ${quoted(part("requested"))} is not set up; calls use ${quoted(part("used"))} instead.`,
  unused_variable: ({ part }) => `The call variable ${quoted(part("name"))} is never used.`,
  unused_tool: ({ part }) => `No conversation uses the tool ${quoted(part("name"))}.`,
  missing_answer: ({ part }) =>
    part("missing") === ""
      ? "Add expected answers, or save the answer: right now it is not used."
      : `Add an answer for ${quoted(part("missing"))}: until then it counts as not understood.`,
  loop_without_question: () =>
    "A call can come back here again and again without the callee being asked. Ask something on the way, or count the attempts.",
  indistinct_exits: ({ part }) =>
    `The answers ${part("one")} and ${part("two")} are hard to tell apart: ${part("clash")}. ${part("advice")}`,
  vague_exit: ({ part }) =>
    `Add phrases to the answer ${part("exit")}: callees rarely say that word. For example ${part("examples")}.`,
  misunderstood_phrase: () => null,
  unspoken_language: () => null,
  unsuited_engine: () => null,
  unusable_mcp_tool: () => null,
  untranslated_text: () => null,
};

const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  "say:text": "Write what the agent says.",
  "ask:text": "Write the question.",
  "voicemail:text": "Write the message for the voicemail.",
  "end:text": "Write the last words, or remove them.",
  "conversation:prompt": "Describe what the language model should do.",
};

function quoted(text: string): string {
  return `“${text}”`;
}

/** The last part of the path that is a place in the node, with the kind of node before a colon. */
function fieldOf({ node, path }: Context): string {
  return `${node?.type ?? ""}:${path.replace(/^nodes\[\d+\]\./, "").replaceAll(/\[\d+\]/g, "[]")}`;
}

function fieldLabel(context: Context): string {
  const [subject = "", pattern = ""] = fieldOf(context).split(/:(.*)/s);
  const field = context.part("field");
  return labelOf(subject, field === "" || pattern.endsWith(field) ? pattern : `exits[].${field}`).replace(
    " (optional)",
    "",
  );
}

function exitLabel({ node, path }: Context): string {
  const exitId = path.replace(/^nodes\[\d+\]\./, "");
  return (node && exitsOf(node).find(({ id }) => id === exitId)?.label) ?? exitId;
}
