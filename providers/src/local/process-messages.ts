/** A piece of work for a process of its own. */
export interface ProcessWork<Work> {
  readonly workId: number;
  readonly work: Work;
}

export type ProcessReply<Result> =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly workId: number; readonly result: Result }
  | { readonly type: "failed"; readonly workId: number; readonly reason: string };
