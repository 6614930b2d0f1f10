import type { BenchContext } from "../measurement.ts";
import { createAsker, type Asker } from "./ask.ts";
import { startServices, type Services, type ServicesOptions } from "./start-services.ts";

/** Starts processes of the service on a database of their own, works with them, and ends them. */
export async function withServices<T>(
  {
    openDatabase,
    ...options
  }: Pick<BenchContext, "openDatabase"> & Omit<ServicesOptions, "databaseUrl">,
  work: (services: Services, asker: Asker) => Promise<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    const services = await startServices({ ...options, databaseUrl: database.url });
    const asker = createAsker(services.url);
    try {
      return await work(services, asker);
    } finally {
      asker.close();
      await services.close();
    }
  } finally {
    await database.close();
  }
}
