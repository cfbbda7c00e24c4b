import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowRequest } from "@parley/contract/flow-request";
import type { PhraseName } from "@parley/contract/flow-settings";

/** A text in a flow that may have placeholders. */
export interface FlowText {
  /** Null for the settings and the tools. */
  readonly nodeId: string | null;
  /** Where it stands in the document, such as `nodes[2].text`. */
  readonly path: string;
  /** For messages: "the text of hello". */
  readonly what: string;
  readonly text: string;
  /** Names that are filled in here besides variables and collected values. */
  readonly alsoNames: readonly string[];
  /** Whether collected values may be used. What may be said at any time uses variables alone. */
  readonly mayUseCollected: boolean;
  readonly mayBeEmpty: boolean;
  /** Whether the callee hears it, so that it may have optional parts. */
  readonly isSpoken: boolean;
}

/** What a phrase of the agent itself is filled with, besides variables. */
export const PHRASE_VALUES: Readonly<Partial<Record<PhraseName, readonly string[]>>> = {
  confirm: ["answer"],
  confirm_again: ["answer"],
  confirm_choice: ["answer"],
  confirm_choice_again: ["answer"],
  clarify: ["first", "second"],
  clarify_again: ["first", "second"],
  clarify_choice: ["first", "second"],
  clarify_choice_again: ["first", "second"],
  which_day: ["period"],
  which_time: ["period"],
  which_time_between: ["first", "second"],
  press_choice: ["key", "choice"],
  corrected: ["answer"],
};

/** Every text with placeholders, in the order of the document. */
export function textsOfFlow(flow: Flow): FlowText[] {
  const ofNodes = flow.nodes.flatMap((node, index) =>
    textsOfNode(node).map(({ field, ...rest }): FlowText => {
      const what = field === "text" ? `The text of ${node.id}` : `The field ${field} of ${node.id}`;
      return { ...DEFAULTS, ...rest, nodeId: node.id, path: `nodes[${index}].${field}`, what };
    }),
  );
  return [...ofNodes, ...textsOfTools(flow), ...textsOfSettings(flow), ...textsOfTranslations(flow)];
}

const DEFAULTS = { alsoNames: [], mayUseCollected: true, mayBeEmpty: false, isSpoken: true } as const;

type NodeText = Pick<FlowText, "text"> & Partial<FlowText> & { readonly field: string };

function textsOfNode(node: FlowNode): NodeText[] {
  switch (node.type) {
    case "start":
    case "set":
    case "subflow":
      return [];
    case "say":
    case "voicemail":
      return [{ field: "text", text: node.text }];
    case "end":
      return given("text", node.text);
    case "ask":
      return [
        { field: "text", text: node.text },
        ...given("reworded", node.reworded),
        ...listed("retries.texts", node.retries?.texts),
        ...given("confirm.text", node.confirm?.text).map((text) => ({ ...text, alsoNames: ["answer"] })),
      ];
    case "conversation":
      return [
        ...given("text", node.text),
        { field: "prompt", text: node.prompt, isSpoken: false },
        ...node.exits.map(({ when }, index) => ({ field: `exits[${index}].when`, text: when, isSpoken: false })),
      ];
    case "branch":
      return (node.prompts ?? []).map(({ when }, index) => ({
        field: `prompts[${index}].when`,
        text: when,
        isSpoken: false,
      }));
    case "tool":
      return [...given("filler", node.filler), ...textsOfRequest(node.request)];
    case "transfer":
      return [...given("text", node.text), { field: "to", text: node.to, mayBeEmpty: true, isSpoken: false }];
    case "dtmf":
      return [{ field: "keys", text: node.keys, mayBeEmpty: true, isSpoken: false }];
  }
}

function given(field: string, text: string | undefined): NodeText[] {
  return text === undefined ? [] : [{ field, text }];
}

function listed(field: string, texts: readonly string[] | undefined): NodeText[] {
  return (texts ?? []).map((text, index) => ({ field: `${field}[${index}]`, text }));
}

/** An empty URL is reported where URLs are checked; empty headers and bodies are allowed. */
function textsOfRequest(request: FlowRequest): NodeText[] {
  const headers = Object.entries(request.headers ?? {});
  return [
    { field: "request.url", text: request.url },
    ...headers.map(([name, text]) => ({ field: `request.headers.${name}`, text })),
    ...leavesOf(request.body).map((text) => ({ field: "request.body", text })),
  ].map((text) => ({ ...text, mayBeEmpty: true, isSpoken: false }));
}

/** The texts in a JSON value, however deep. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(leavesOf) : [];
}

function textsOfTools(flow: Flow): FlowText[] {
  return (flow.tools ?? []).flatMap((tool, index) => {
    const alsoNames = (tool.parameters ?? []).map(({ name }) => name);
    const texts: NodeText[] = [
      { field: "description", text: tool.description, isSpoken: false },
      ...given("filler", tool.filler),
      ...textsOfRequest(tool.request).map((text) => ({ ...text, alsoNames })),
    ];
    return texts.map(
      ({ field, ...rest }): FlowText => ({
        ...DEFAULTS,
        ...rest,
        nodeId: null,
        path: `tools[${index}].${field}`,
        what: `The field ${field} of the tool ${tool.name}`,
      }),
    );
  });
}

/** A translation may use what the text may that it translates. */
function textsOfTranslations({ settings = {} }: Flow): FlowText[] {
  const alsoNames = [...new Set(Object.values(PHRASE_VALUES).flat())];
  return (settings.translations ?? []).flatMap(({ language, texts }, index) =>
    Object.values(texts).map(
      (text): FlowText => ({
        ...DEFAULTS,
        text,
        alsoNames,
        mayBeEmpty: true,
        nodeId: null,
        path: `settings.translations[${index}].texts`,
        what: `A translation into ${language}`,
      }),
    ),
  );
}

function textsOfSettings({ settings = {} }: Flow): FlowText[] {
  const texts: NodeText[] = [
    ...given("disclosure", settings.disclosure ?? undefined),
    ...given("identification", settings.identification),
    ...listed("silence.prompts", settings.silence?.prompts),
    ...listed("retries.texts", settings.retries?.texts),
    ...Object.entries(settings.phrases ?? {}).flatMap(([name, text]) =>
      given(`phrases.${name}`, text).map((found) => ({
        ...found,
        alsoNames: PHRASE_VALUES[name as PhraseName] ?? [],
      })),
    ),
  ];
  return texts.map(
    ({ field, ...rest }): FlowText => ({
      ...DEFAULTS,
      ...rest,
      mayUseCollected: false,
      nodeId: null,
      path: `settings.${field}`,
      what: `The setting ${field}`,
    }),
  );
}
