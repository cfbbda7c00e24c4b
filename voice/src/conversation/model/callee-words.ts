/** The words cannot close the brackets that enclose them. */
export function asData(said: string): string {
  return said.replaceAll(/[<>]/g, " ");
}
