import type { MatrixAccount } from "./matrix-world.ts";

/** A request that the account's own callers get 200 for. */
export interface Fixture {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if the request uses up the sign-in it is made with. */
  readonly cookie?: Readonly<Record<string, string>>;
}

export interface FixtureRow {
  make(account: MatrixAccount, mode: "test" | "live"): Fixture | Promise<Fixture>;
  /** The same request about something that never existed; by default every id in it is replaced by a fresh one. */
  readonly unknown?: Fixture;
  /** The resource belongs to one mode: seen from the other it does not exist. */
  readonly ofOneMode?: true;
  /** Names a resource of the account although its path has no parameter. */
  readonly namesInBody?: true;
  /** The resource belongs to the installation, and is the same for every account. */
  readonly isEverybodys?: true;
  /** Anyone who knows the secret in the request is allowed, without further authentication. */
  readonly isForAnyoneWho?: "knows the link" | "knows the code";
  /** What an allowed caller gets, if that is not 200. */
  readonly letIn?: { readonly status: number; readonly code: string };
}
