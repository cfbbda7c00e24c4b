// The scanner expression for our keys, the shapes of our cookies and link tokens, and those of vendors' keys.
const SECRETS: readonly [RegExp, string][] = [
  [/\bsvc_(live|test)_[0-9A-Za-z]{6,}/g, "svc_$1_[removed]"],
  [/\b(lt|st|ct|rl)_[0-9A-Za-z_.-]{40,}/g, "$1_[removed]"],
  [/(postgres(?:ql)?:\/\/[^:@/\s"]*):[^@/\s"]*@/g, "$1:[removed]@"],
  [/\b(sk-|AIza)[0-9A-Za-z_-]{16,}/g, "$1[removed]"],
  [/(Bearer )[^\s"\\]+/gi, "$1[removed]"],
];

/** Takes out of a text whatever could be used to sign in, place calls or reach the database. */
export function redactText(text: string): string {
  return SECRETS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
