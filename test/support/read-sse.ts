/** One server-sent event as a client sees it. */
export interface ReadEvent {
  readonly event: string;
  readonly data: unknown;
  /** Null where it has none. */
  readonly id: string | null;
}

/** Reads an event stream to its end. Comments and `retry` are left out. */
export async function readSse(response: Response): Promise<readonly ReadEvent[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => /^(event|data|id):/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const fields = new Map(
        lines.map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
        }),
      );
      return {
        event: fields.get("event") ?? "message",
        data: JSON.parse(fields.get("data") ?? "null"),
        id: fields.get("id") ?? null,
      };
    });
}
