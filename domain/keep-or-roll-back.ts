/** Rolls the transaction back in which it is thrown. */
class NotKeptError extends Error {
  override readonly name = "NotKeptError";
}

/**
 * Runs a transaction that decides at its end whether its changes are kept, and returns its result, or
 * the one with which it was rolled back.
 */
export async function keepOrRollBack<T>(
  transact: (rollBack: (result: T) => never) => Promise<T>,
): Promise<T> {
  const notKept: T[] = [];
  try {
    return await transact((result) => {
      notKept.push(result);
      throw new NotKeptError("The changes were not kept");
    });
  } catch (error) {
    const [result] = notKept.slice(-1);
    if (result === undefined || !(error instanceof NotKeptError)) throw error;
    return result;
  }
}
