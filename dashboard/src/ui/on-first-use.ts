/** Creates something when it is first used. Formats of dates and numbers take milliseconds each, and few pages need all of them. */
export function onFirstUse<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
