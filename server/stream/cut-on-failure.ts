/**
 * A body as an HTTP adapter can write it. Where it fails, `cut` is called, once, and the adapter
 * hears of no error: it would print it, and write it into the answer, which then looks complete.
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
          // Whoever made the body has noted it. The adapter lets go of this one when its socket closes.
          cut();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is taken that is not asked for: how much may wait is the body's own business.
    { highWaterMark: 0 },
  );
}
