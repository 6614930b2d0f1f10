import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { test } from "@fast-check/vitest";
import * as fc from "fast-check";
import { expect, onTestFinished } from "vitest";
import { saveSettings } from "../../../cli/chat/first-run/save-settings.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "save-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("saveSettings() makes a file for its owner only", () => {
  const folder = makeFolder();

  saveSettings(join(folder, ".env"), { OPENAI_API_KEY: "sk-1", OPENAI_MODEL: "small" });

  expect(readFileSync(join(folder, ".env"), "utf8")).toBe(
    "OPENAI_API_KEY=sk-1\nOPENAI_MODEL=small\n",
  );
  expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual([".env"]);
});

test("saveSettings() keeps every line, fills in an empty one, and takes others' rights away", () => {
  const path = join(makeFolder(), ".env");
  const lines = [
    "# mine",
    "CONCIERGE_LOG=info",
    "OPENAI_API_KEY=",
    "OTHER='a\nb'",
    "OPENAI_MODEL=old",
  ];
  writeFileSync(path, lines.join("\n"));
  chmodSync(path, 0o644);

  saveSettings(path, { OPENAI_API_KEY: "sk-$&", OPENAI_MODEL: "new" });

  const content = readFileSync(path, "utf8");
  expect(content).toBe(
    "# mine\nCONCIERGE_LOG=info\nOPENAI_API_KEY='sk-$&'\nOTHER='a\nb'\nOPENAI_MODEL=old\nOPENAI_MODEL=new\n",
  );
  expect(parseEnv(content)).toMatchObject({ OPENAI_API_KEY: "sk-$&", OPENAI_MODEL: "new" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("saveSettings() writes through a link", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "shared"), "A=1\n");
  symlinkSync(join(folder, "shared"), join(folder, ".env"));

  saveSettings(join(folder, ".env"), { OPENAI_API_KEY: "sk-1" });

  expect(lstatSync(join(folder, ".env")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "shared"), "utf8")).toBe("A=1\nOPENAI_API_KEY=sk-1\n");
});

test("saveSettings() rejects a place that cannot be written, and leaves nothing there", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "file"), "");

  expect(() => saveSettings(join(folder, "file", ".env"), { A: "1" })).toThrow(/ENOTDIR|EEXIST/);
  expect(readdirSync(folder)).toEqual(["file"]);
});

const key = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCodePoint(code)),
    minLength: 1,
  })
  .filter((text) => !(text.includes("'") && /["\\]/.test(text)));
test.prop([key])("saveSettings() writes values that are read back as they were", (value) => {
  const folder = mkdtempSync(join(tmpdir(), "save-settings-"));
  try {
    saveSettings(join(folder, ".env"), { OPENAI_API_KEY: value });

    expect(parseEnv(readFileSync(join(folder, ".env"), "utf8"))).toEqual({ OPENAI_API_KEY: value });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
