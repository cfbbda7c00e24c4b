/** Work for a host in tests: each kind triggers one behaviour of hosts. */
export type EchoWork =
  | { readonly type: "echo"; readonly value: unknown }
  | { readonly type: "environment" }
  | { readonly type: "fail"; readonly reason: string }
  /** Settles only when it is cancelled. */
  | { readonly type: "wait" }
  | { readonly type: "exit" }
  /** Blocks the host permanently, like a native call that never returns. */
  | { readonly type: "hang" };

export async function doEchoWork(work: EchoWork, signal: AbortSignal): Promise<unknown> {
  switch (work.type) {
    case "echo":
      return work.value;
    case "environment":
      return Object.keys(process.env);
    case "fail":
      throw new Error(work.reason);
    case "wait":
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return "cancelled";
    case "exit":
      return process.exit(3);
    case "hang":
      for (;;);
  }
}
