/** Something a brain waits for, until the test lets it go on. */
export function replyHeld(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}
