import { once } from "node:events";
import { startEmbeddedPostgres } from "../../../storage/embedded/embedded.ts";
import { silentLog } from "../../../state/log.ts";

/*
 * A process of its own that uses the embedded server in the folder named by its first argument:
 * prints the socket's folder, and leaves the server when its standard input ends.
 */
const embedded = await startEmbeddedPostgres({
  dataDir: process.argv[2] ?? "",
  log: silentLog,
});
process.stdout.write(`${embedded.connection.host}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await embedded.stop();
