import { expect, test } from "vitest";
import { ReplyStream } from "../../../nodes/reply/reply-stream.ts";
import { EMPTY_REGISTRY } from "../../../registry/entries.ts";
import { createReceipt } from "../../../registry/receipts.ts";

test("ReplyStream words moments as they are where the person is, in receipts and words", () => {
  const sent: string[] = [];
  const facts = "sold 2026-01-13T17:00:00.000Z";
  const receipts = [createReceipt({ kind: "created", label: "lamp", facts })];
  const stream = new ReplyStream(
    { emit: (event) => sent.push(event.type === "text-delta" ? event.text : "") },
    { id: "r", receipts, registry: EMPTY_REGISTRY, sent: "", timeZone: "Europe/Berlin" },
  );
  stream.push("It was 2026-01-13T17:00:00.000Z");
  const { text } = stream.end("It was 2026-01-13T17:00:00.000Z then.", "2026-01-13T18:00:00.000Z");

  expect(text).toBe(
    "Added: lamp (sold Tue 13 Jan 2026, 18:00)\n\nIt was Tue 13 Jan 2026, 18:00 then.",
  );
  expect(sent.join("")).toBe(text);
});
