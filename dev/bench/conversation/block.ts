/** Every so many turns of the long conversation hold the same messages in another order: their means can be compared. */
export const BLOCK_TURNS = 20;
