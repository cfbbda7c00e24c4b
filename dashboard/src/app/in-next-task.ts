/** The same value in a task of its own: reading a large program and drawing with it keep the page for less long apart. */
export function inNextTask<Value>(value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(value)));
}
