/**
 * Hides a body's failure from the HTTP adapter and calls `cut` once instead. The adapter would print
 * the error and write it into the response, which would then look complete.
 */
export function cutOnFailure(
  body: ReadableStream<Uint8Array>,
  cut: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          // The body's source has logged the error. The adapter drops this body when its socket closes.
          cut();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // No buffering here: the source limits what may wait.
    { highWaterMark: 0 },
  );
}
