import type { VoicemailPlan } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import type { McpPlan } from "../../agents/mcp/functions-for-flow.ts";
import { LOCAL_PROVIDER } from "../../platform/config/engine-settings.ts";
import type { EngineRecipe } from "../engines/engine-catalog.ts";

/** What a conversation is to be held about and with whom, as plain data that can be given to another thread. */
export interface ConversationPlan {
  readonly callId: string;
  readonly flow: Flow;
  /** A BCP 47 tag. */
  readonly language: string;
  /** The engine of the call, with its keys. Left out: that of this machine. */
  readonly engine?: EngineRecipe | undefined;
  /** The voice of the call, from its first word to its last. Left out: a light one. */
  readonly voiceId?: string;
  /** Why that is not the voice of the agent, where the service is to blame. */
  readonly voiceIncident?: string | null;
  /** The same engine in other languages that the callee may speak. Left out: the call stays in its language. */
  readonly inOtherLanguages?: readonly {
    /** A BCP 47 tag. */
    readonly language: string;
    readonly engine: EngineRecipe;
    /** The local voice of the language, if there is one. */
    readonly voiceId: string;
  }[];
  readonly variables: Readonly<Record<string, string>>;
  /** What the call requests when a voicemail answers; null leaves it to the flow. */
  readonly voicemail: VoicemailPlan | null;
  /** What signs the requests of its tools. Left out where it has none. */
  readonly toolSecrets?: readonly string[];
  /** What it may use of MCP servers. Left out where its flow lists no tools of theirs. */
  readonly mcp?: McpPlan;
  readonly call: {
    readonly id: string;
    readonly phoneNumber: string;
    readonly from: string | null;
    readonly mode: "test" | "live";
    readonly startedAtMs: number;
    /** Where the callee is, as an IANA name. */
    readonly timeZone: string;
    readonly isRecorded: boolean;
  };
}

/** Whether a voice of a vendor, or a model that hears and speaks, is what the callee hears. */
export function speaksElsewhere({ engine }: Pick<ConversationPlan, "engine">): boolean {
  return engine !== undefined && (engine.speech.length > 0 || engine.synthesis[0]?.provider !== LOCAL_PROVIDER);
}
