import type { Pool } from "pg";
import { vi } from "vitest";
import type { Lender } from "../../storage/postgres/connections.ts";

/** A pool of one connection, whose writes are counted; to be given back. */
export async function countedWrites(pool: Pool) {
  const client = await pool.connect();
  const giveBack = client.release.bind(client);
  vi.spyOn(client, "release").mockReturnValue(undefined);
  const counts = [
    vi.spyOn(client.connection.stream, "_writev"),
    vi.spyOn(client.connection.stream, "_write"),
  ];
  const lender: Lender = { connect: async () => client };
  const writes = (): number => counts.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  return { lender, giveBack, writes };
}
