import type { ErrorDetail } from "@parley/contract/errors";
import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowProblem, FlowWarning, NoteParts } from "@parley/flow/problem";
import { apiText } from "../../../api/text.ts";
import { languageName } from "../../engines/engine-words.ts";
import { groupsText } from "../canvas/groups/text.ts";
import { labelOf } from "../fields/field-labels.ts";
import { readPath, valueAt } from "../fields/field-paths.ts";
import type { EditorState } from "../model/editor-store.ts";
import { exitsOf } from "../model/exits.ts";
import type { CompilerNotes, FlowNote, FlowNotes } from "../model/flow-notes.ts";
import { titleOf } from "../model/node-kinds.ts";
import { subFlowsText } from "../sub-flows/text.ts";
import { fixFor } from "./fix-note.ts";
import { problemsText } from "./text.ts";

type SubFlowCode = Extract<
  Exclude<FlowProblem["code"], "sub_flow_conflict">,
  `${string}sub_flow${string}` | "missing_exit" | "unknown_exit" | "missing_input" | "unknown_input" | "unknown_output"
>;
interface Parts {
  part(name: string): string;
}

/** What the compiler finds about sub-flows, in words for the person who draws the flow. */
const SUB_FLOW_WORDINGS: Readonly<Record<SubFlowCode, (found: Parts) => string>> = {
  no_sub_flow: () => subFlowsText.chooseOne,
  unknown_sub_flow: () => subFlowsText.unknown,
  sub_flow_cycle: () => subFlowsText.cycle,
  sub_flow_too_deep: ({ part }) => subFlowsText.tooDeep(part("max")),
  sub_flow_too_large: ({ part }) => {
    if (part("reason") === "size") return subFlowsText.tooManyNodes(part("nodes"));
    return part("reason") === "name"
      ? subFlowsText.nameTooLong(part("name"))
      : subFlowsText.tooManyVariables(part("max"));
  },
  missing_exit: ({ part }) => subFlowsText.connectExit(part("exit")),
  unknown_exit: ({ part }) => subFlowsText.deleteExit(part("when")),
  missing_input: ({ part }) => subFlowsText.giveInput(part("name")),
  unknown_input: ({ part }) => subFlowsText.removeInput(part("name")),
  unknown_output: ({ part }) => subFlowsText.removeOutput(part("name")),
};

type Found = FlowProblem | FlowWarning;

/** What a wording may use: the flow, the node it is about, and the parts of the finding. */
interface Context {
  readonly flow: Flow;
  readonly node: FlowNode | undefined;
  readonly path: string;
  /** The sentence of the API, which is in English. */
  readonly message: string;
  /** What stands at the path. */
  readonly value: unknown;
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

/** A finding of the service, at its place in the flow. */
export function foundAt<Code extends string>(
  flow: Flow,
  { param, code, message, parts }: Omit<ErrorDetail, "code"> & { readonly code: Code },
) {
  const path = param.replace(/^flow\./, "");
  const index = /^nodes\[(\d+)\]/.exec(path)?.[1];
  const nodeId = (index === undefined ? undefined : flow.nodes[Number(index)]?.id) ?? null;
  return { code, message, path, nodeId, ...(parts === undefined ? {} : { parts }) };
}

/** What the service found in a flow, each in one sentence with the title of the node; what is not of the compiler as it is said. */
export function wordDetails(flow: Flow, details: readonly ErrorDetail[]): string[] {
  return details.map((detail) => {
    const { code } = detail;
    if (!isOfCompiler(code)) return apiText.wordFieldError(detail);
    const { place, message } = wordNote(flow, foundAt(flow, { ...detail, code }) as Found);
    return place === null ? message : `${place}: ${message}`;
  });
}

function isOfCompiler(code: string): code is Found["code"] {
  return Object.hasOwn(WORDINGS, code);
}

function wordNote(flow: Flow, found: Found): FlowNote {
  const { code, nodeId, path, message } = found;
  const node = flow.nodes.find(({ id }) => id === nodeId);
  const parts: NoteParts = found.parts ?? {};
  const titleOfId = (id: string) => {
    const other = flow.nodes.find((each) => each.id === id);
    return other ? titleOf(other) : id;
  };
  const context: Context = {
    flow,
    node,
    path,
    message: withoutId(message, nodeId),
    value: valueAt(flow, readPath(path)),
    part: (name) => parts[name] ?? "",
    titleOfId,
  };
  return {
    code,
    nodeId,
    path,
    place: node ? titleOf(node) : placeOf(path),
    message: WORDINGS[code](context),
    fix: fixFor(found),
  };
}

/** The notes with a problem for each text that cannot be read: the document is saved and would be published without it. */
export function withUnread(flow: Flow, notes: FlowNotes, unread: EditorState["unread"]): FlowNotes {
  const found = [...unread.keys()].flatMap((place): FlowNote[] => {
    const [, owner = "", field = ""] = /^([^.]+)\.(.*)$/.exec(place) ?? [];
    const index = flow.nodes.findIndex(({ id }) => id === owner);
    const node = flow.nodes[index];
    // The node or tool was removed; the text is there again after an undo.
    if (!node && !(flow.tools ?? []).some((_, at) => owner === `tools[${at}]`)) return [];
    const label = labelOf(node?.type ?? "model_tool", field.replaceAll(/\[\d+\]/g, "[]"));
    return [
      {
        code: "unread_text",
        nodeId: node?.id ?? null,
        path: node ? `nodes[${index}].${field}` : place,
        place: node ? titleOf(node) : placeOf(place),
        message: problemsText.unreadText(label),
        fix: null,
      },
    ];
  });
  return found.length === 0 ? notes : { ...notes, problems: [...notes.problems, ...found] };
}

/** Sentences of the API begin with the node's id, which is on the canvas as a title. */
function withoutId(message: string, nodeId: string | null): string {
  if (nodeId === null || !message.startsWith(`The node ${nodeId} `)) return message;
  return message.replace(`The node ${nodeId} `, "This node ");
}

function placeOf(path: string): string | null {
  if (path.startsWith("settings")) return problemsText.settings;
  if (path.startsWith("tools")) return problemsText.tools;
  if (path.startsWith("variables")) return problemsText.variables;
  return null;
}

const WORDINGS: Readonly<Record<Found["code"], (context: Context) => string>> = {
  no_start: () => problemsText.noStart,
  many_starts: ({ part, titleOfId }) => problemsText.manyStarts(titleOfId(part("first"))),
  duplicate_id: ({ node }) => problemsText.duplicateId(node?.id ?? ""),
  unknown_node: (context) =>
    context.node === undefined ? problemsText.unknownMenuNode : problemsText.unknownNode(exitLabel(context)),
  leads_nowhere: (context) => problemsText.leadsNowhere(exitLabel(context)),
  unreachable: () => problemsText.unreachable,
  no_way_to_end: () => problemsText.noWayToEnd,
  undeclared_variable: ({ part }) => problemsText.undeclaredVariable(part("name")),
  collected_later: ({ part }) => problemsText.collectedLater(part("name")),
  bad_markup: (context) => problemsText.badMarkup(fieldLabel(context), context.part("mistake")),
  bad_placeholder: (context) => {
    const { part } = context;
    if (part("reason") === "braces") return problemsText.badBraces(fieldLabel(context));
    if (part("reason") === "brackets") return problemsText.badBrackets(fieldLabel(context));
    return problemsText.badPlaceholder(part("name"), fieldLabel(context));
  },
  empty_text: (context) => EMPTY_TEXTS[fieldOf(context)] ?? problemsText.emptyText(fieldLabel(context)),
  exit_does_not_fit: ({ node, part }) =>
    problemsText.exitDoesNotFit(part("when"), node?.type === "ask" ? node.answer : "choice"),
  duplicate_exit: ({ part }) => problemsText.duplicateExit(part("when")),
  duplicate_key: ({ part }) => problemsText.duplicateKey(part("key")),
  field_does_not_fit: (context) => {
    const { part } = context;
    if (part("min") !== "") return problemsText.emptyRange(part("min"), part("max"));
    return problemsText.fieldDoesNotFit(fieldLabel(context));
  },
  no_choices: () => problemsText.noChoices,
  no_conditions: () => problemsText.noConditions,
  bad_condition: ({ part }) => {
    if (part("tooLong") !== "") return problemsText.conditionsTooLong;
    return part("text").trim() === ""
      ? problemsText.emptyCondition(part("number"))
      : problemsText.badCondition(part("number"), part("mistake"));
  },
  bad_expression: ({ part, message }) => {
    if (part("number") === "") return problemsText.badExpression(message);
    return part("text").trim() === ""
      ? problemsText.emptyValue(part("number"))
      : problemsText.badValue(part("number"), part("mistake"));
  },
  nothing_to_set: () => problemsText.nothingToSet,
  endless_branching: () => problemsText.endlessBranching,
  bad_global: ({ part }) => {
    if (part("reason") === "no_phrases") return problemsText.globalWithoutPhrases;
    if (part("reason") === "returns") return problemsText.globalReturns;
    return problemsText.manyGlobals;
  },
  duplicate_phrase: ({ part, titleOfId }) => problemsText.duplicatePhrase(part("phrase"), titleOfId(part("other"))),
  many_voicemails: () => problemsText.manyVoicemails,
  no_voicemail: () => problemsText.noVoicemail,
  bad_request: ({ part }) => {
    if (part("reason") === "url") return problemsText.badUrl;
    if (part("reason") === "body") return problemsText.bodyOfGet;
    if (part("reason") === "header") return problemsText.reservedHeader(part("header"));
    return problemsText.brokenHeader(part("header"));
  },
  bad_path: ({ part }) => (part("path").trim() === "" ? problemsText.emptyPath : problemsText.badPath(part("path"))),
  bad_number: ({ part }) => (part("to").trim() === "" ? problemsText.emptyNumber : problemsText.badNumber(part("to"))),
  bad_keys: ({ part }) => (part("keys").trim() === "" ? problemsText.emptyKeys : problemsText.badKeys(part("keys"))),
  unknown_tool: ({ part }) => problemsText.unknownTool(part("tool")),
  duplicate_tool: ({ part }) =>
    part("of") === "tools" ? problemsText.duplicateTool(part("tool")) : problemsText.duplicateParameter(part("tool")),
  ...SUB_FLOW_WORDINGS,
  sub_flow_conflict: (context) => {
    const code = CONFLICTS.find((each) => each === context.part("code"));
    return subFlowsText.conflict(context.part("mistake"), code === undefined ? null : WORDINGS[code](context));
  },
  bad_group: ({ part, message }) => {
    if (part("reason") === "id") return problemsText.badGroup(message);
    const word = part("reason") === "unknown" ? groupsText.unknownNode : groupsText.groupedTwice;
    return word(part("node"), part("group"));
  },
  no_model: () => problemsText.noModel,
  unknown_model: ({ part }) => problemsText.unknownModel(part("requested"), part("used")),
  unused_variable: ({ part }) => problemsText.unusedVariable(part("name")),
  unused_tool: ({ part }) => problemsText.unusedTool(part("name")),
  missing_answer: ({ part }) =>
    part("missing") === "" ? problemsText.answerUnused : problemsText.missingAnswer(part("missing")),
  loop_without_question: () => problemsText.loopWithoutQuestion,
  nothing_offered: ({ titleOfId, part }) => problemsText.nothingOffered(titleOfId(part("node"))),
  hidden_machine: () => problemsText.hiddenMachine,
  // The service sends sentences without parts.
  indistinct_exits: ({ part, message }) =>
    part("one") === "" ? problemsText.indistinctExitsMessage(message) : problemsText.indistinctExits(part),
  vague_exit: ({ part, message }) =>
    part("exit") === ""
      ? problemsText.indistinctExitsMessage(message)
      : problemsText.vagueExit(part("exit"), part("examples")),
  misunderstood_phrase: ({ part, message, value }) =>
    part("phrase") === ""
      ? problemsText.misunderstoodPhraseMessage(message, String(value ?? ""))
      : problemsText.misunderstoodPhrase(part("phrase"), part("exit"), part("other")),
  unspoken_language: ({ message, part }) => problemsText.unspokenLanguage(message, part("engine"), languageIn(part)),
  unsuited_engine: ({ message, part }) => problemsText.unsuitedEngine(message, part("engine")),
  no_other_voice: ({ message, part }) => problemsText.noOtherVoice(message, languageIn(part)),
  unusable_mcp_tool: ({ message, value }) =>
    problemsText.unusableMcpTool(message, (value as { readonly tool?: string } | undefined)?.tool ?? ""),
  untranslated_text: ({ part }) => problemsText.untranslatedText(part("text"), languageIn(part), Number(part("more"))),
};

/** The language that a finding names, in words; empty if it names none. */
function languageIn(part: Context["part"]): string {
  return part("language") === "" ? "" : languageName(part("language"));
}

/** What two flows that are right by themselves do wrong together, worded by names and phrases alone. */
const CONFLICTS = [
  "bad_global",
  "collected_later",
  "duplicate_phrase",
  "endless_branching",
  "many_voicemails",
  "no_voicemail",
  "no_way_to_end",
  "undeclared_variable",
  "unreachable",
] as const satisfies readonly Found["code"][];

const EMPTY_TEXTS: Readonly<Record<string, string>> = problemsText.emptyTexts;

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
