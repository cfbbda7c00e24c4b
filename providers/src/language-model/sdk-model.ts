import type { LanguageModel as AnySdkModel } from "ai";

/**
 * A model as created by the packages of the AI SDK. They implement the vendors' protocols; nothing above them is used.
 */
export type SdkModel = Extract<AnySdkModel, { readonly specificationVersion: "v4" }>;

export type SdkCall = Parameters<SdkModel["doStream"]>[0];
export type SdkPrompt = SdkCall["prompt"];
export type SdkOptions = NonNullable<SdkCall["providerOptions"]>;
type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
