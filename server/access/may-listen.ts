import { isLoopbackAddress } from "./loopback.ts";
import type { AccessSettings } from "../settings.ts";

/**
 * Refuses to listen where others can connect while authentication is off.
 *
 * @throws RangeError in a sentence that says what to do.
 */
export function assertListenAllowed(access: AccessSettings, host: string): void {
  if (access.kind === "on" || host === "localhost" || isLoopbackAddress(host)) return;
  throw new RangeError(
    `Cannot listen on "${host}" without authentication: whoever reaches that address could read and change everything; set CONCIERGE_AUTH to "keys" or "jwt", or listen on 127.0.0.1`,
  );
}
