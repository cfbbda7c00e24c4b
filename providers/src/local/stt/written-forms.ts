/**
 * How the recognizer might write an answer. It was taught to write sentences, so it puts a capital and a full stop to
 * most of what it hears, but not to all.
 */
export function writtenForms(answer: string): readonly string[] {
  const plain = answer.trim().replace(/[.!?]+$/, "");
  const capital = plain.charAt(0).toUpperCase() + plain.slice(1);
  return [...new Set([`${capital}.`, capital, plain])];
}
