import type { FlowWarning } from "@parley/contract/agents";
import { AppError } from "@parley/contract/errors";
import { Flow } from "@parley/contract/flow";
import type { LanguageModel, ModelMessage } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ExitChecker } from "../confusable-exits.ts";
import { checkFlow } from "../drafts.ts";

/** How often a model may correct what it wrote. Each time costs the reader half a minute. */
const CORRECTIONS_MAX = 2;
/** A flow of forty nodes has about this many tokens. */
const OUTPUT_TOKENS_MAX = 16_000;
/** A reply that is longer is not a flow that a person could review. */
const REPLY_CHARS_MAX = 200_000;

export interface DraftOptions {
  readonly description: string;
  readonly language: string;
  readonly modelNames: readonly string[];
  /** Exits of questions that calls would confuse. */
  readonly checkExits: ExitChecker;
  readonly signal: AbortSignal;
}

/**
 * Has a language model write a flow from a description. What it writes is checked like any other flow, and it is told what is
 * wrong until nothing is or its attempts are used up; then the best attempt is returned, which may have problems. Warnings, such as
 * exits that cannot be told apart, the model gets them once; it does not have to follow every one.
 */
export async function draftFlow(
  model: LanguageModel,
  { description, language, modelNames, checkExits, signal }: DraftOptions,
): Promise<Flow> {
  const messages: ModelMessage[] = [
    { role: "callee", text: `Language of the calls: ${language}\n\nThe agent to build:\n${description}` },
  ];
  let best: Attempt | null = null;
  let wasWarned = false;
  for (let attempt = 0; attempt <= CORRECTIONS_MAX; attempt += 1) {
    const written = await writeUnless(best, model, messages, signal);
    if (written === null) break;
    const read = readFlow(written);
    const checked = read.flow === null ? null : checkFlow(read.flow, modelNames);
    const problems = read.flow === null ? read.mistakes : (checked?.problems ?? []).map(({ message }) => message);
    const isClean = problems.length === 0 && read.flow !== null;
    const warnings = isClean ? await warningsOf(read.flow, checked?.warnings ?? [], language, checkExits) : [];
    const made = { problems: problems.length, warnings: warnings.length };
    if (read.flow !== null && (best === null || isBetter(made, best))) best = { flow: read.flow, ...made };
    if (isClean && (wasWarned || warnings.length === 0)) break;
    wasWarned ||= isClean;
    const wish = isClean ? improvement(warnings) : correction(problems);
    messages.push({ role: "agent", text: written }, { role: "callee", text: wish });
  }
  if (best === null) {
    throw new AppError("unavailable", "The language model did not write a flow that can be read. Try again.", {
      retryAfterSeconds: 1,
    });
  }
  return best.flow;
}

interface Attempt {
  readonly flow: Flow;
  /** How many mistakes it has. */
  readonly problems: number;
  /** How many warnings it has, if it has no mistakes. */
  readonly warnings: number;
}

function isBetter(made: Omit<Attempt, "flow">, than: Attempt): boolean {
  return made.problems === than.problems ? made.warnings < than.warnings : made.problems < than.problems;
}

/** A flow that could be used is not given up because the model fails while it improves it: then null. */
async function writeUnless(
  best: Attempt | null,
  model: LanguageModel,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await write(model, messages, signal);
  } catch (error) {
    if (best?.problems === 0 && error instanceof AppError) return null;
    throw error;
  }
}

/** Which models are configured is not the model's to change. */
const OF_INSTALLATION: ReadonlySet<string> = new Set(["no_model", "unknown_model"]);

async function warningsOf(
  flow: Flow,
  compiled: readonly FlowWarning[],
  language: string,
  checkExits: ExitChecker,
): Promise<readonly string[]> {
  const found = [...compiled.filter(({ code }) => !OF_INSTALLATION.has(code)), ...(await checkExits(flow, language))];
  return found.map(({ message }) => message);
}

async function write(model: LanguageModel, messages: readonly ModelMessage[], signal: AbortSignal): Promise<string> {
  let text = "";
  try {
    const request = { instructions: INSTRUCTIONS, messages, tools: [], outputTokensMax: OUTPUT_TOKENS_MAX, signal };
    for await (const part of model.reply(request)) {
      if (part.type === "text") text += part.text;
      if (text.length > REPLY_CHARS_MAX) break;
    }
  } catch (error) {
    if (!(error instanceof ProviderError) && !signal.aborted) throw error;
    // A wrong key, or a model that does not exist: asking again changes nothing.
    if (error instanceof ProviderError && !error.retryable) {
      throw new AppError(
        "unavailable",
        "The language model refused the request. Ask an operator to check its key and its name.",
      );
    }
    throw new AppError("unavailable", "The language model did not answer. Try again.", { retryAfterSeconds: 5 });
  }
  return text;
}

type Read = { readonly flow: Flow } | { readonly flow: null; readonly mistakes: readonly string[] };

/** Models like to wrap JSON in a code block and a sentence. */
function readFlow(text: string): Read {
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return { flow: null, mistakes: ["This is not one JSON object."] };
  }
  const read = Flow.safeParse({ schemaVersion: 1, ...(document as object) });
  if (read.success) return { flow: withoutPositions(read.data) };
  return { flow: null, mistakes: read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) };
}

/** The builder lays it out better than a model guesses. */
function withoutPositions(flow: Flow): Flow {
  const nodes = flow.nodes.map((node) => {
    const { position: _, ...rest } = node;
    return rest as typeof node;
  });
  return { ...flow, nodes };
}

const MISTAKES_MAX = 30;

function correction(mistakes: readonly string[]): string {
  return `Correct these mistakes and write the whole JSON object again:\n${mistakes.slice(0, MISTAKES_MAX).join("\n")}`;
}

function improvement(warnings: readonly string[]): string {
  return `The flow can be used. Improve what these warnings are right about, keep the rest, and write the whole JSON object again:\n${warnings.slice(0, MISTAKES_MAX).join("\n")}`;
}

const INSTRUCTIONS = `You write the flow of a voice agent that phones people. Reply with one JSON object and nothing else.

The object: {"schemaVersion": 1, "variables": [names], "nodes": [...]}
"variables" are names that each call provides, such as first_name; texts use them as {{first_name}}. Names and ids are lower-case letters, digits and underscores.

Kinds of nodes; every node has "id", "type" and a short "label":
- {"type":"start","next":ID} exactly one
- {"type":"say","text":TEXT,"next":ID}
- {"type":"ask","text":QUESTION,"answer":"yes_no","exits":[{"when":"yes","next":ID},{"when":"no","next":ID}],"otherwise":ID}
- {"type":"ask","text":QUESTION,"answer":"choice","exits":[{"when":"what callees choose","phrases":["how they say it"],"next":ID}],"otherwise":ID}
- {"type":"ask","text":QUESTION,"answer":"number"|"date"|"time"|"phone"|"email"|"name"|"digits"|"free_text","saveAs":NAME,"exits":[],"next":ID,"otherwise":ID}
- {"type":"branch","exits":[{"when":"collected.guests > 6","next":ID}],"otherwise":ID} conditions use collected.NAME and variables.NAME
- {"type":"set","values":[{"saveAs":NAME,"value":"\\"confirmed\\""}],"next":ID}
- {"type":"transfer","to":"+15550100001" or "{{name}}","text":TEXT,"failed":ID}
- {"type":"voicemail","text":TEXT} at most one, nothing leads to it, only variables in it
- {"type":"end","text":GOODBYE,"outcome":SHORT_NAME,"success":true or false}

Rules: every exit leads to a node that exists; every node can be reached from the start; every path reaches an end. "otherwise" is where the call goes after the
question was asked again and still not understood: lead it to a polite end or a useful next question, never back to the same question. Save every answer
that the caller of the API will want. Begin with who calls and why. Sentences are short and spoken, in the language of the calls, without lists or
abbreviations. Do not invent facts, numbers or addresses: use variables for what differs from call to call.`;
