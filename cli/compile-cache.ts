import { enableCompileCache } from "node:module";
import { join } from "node:path";
import envPaths from "env-paths";

/**
 * Keeps compiled code for the next start, which then takes about half the time.
 *
 * Contract: applies to what is imported after the call. Where the folder cannot be written the
 * program compiles as before; `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` win.
 */
export function keepCompiledCode(): void {
  enableCompileCache(join(envPaths("concierge-graph", { suffix: "" }).cache, "compiled"));
}
