import type { z } from "zod";

/** Messages of the library, written for programmers; a schema's own messages are written for callers. */
const OWN_WORDS = /^(Invalid (input|option|string)|Too (small|big)|Invalid [A-Za-z]+)\b/;

/**
 * Describes what is wrong with a value, as the end of a sentence that begins with its place: the
 * schema's own message if it has one, else the required form. Never quotes the value. Pure.
 */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith("Unrecognized key")) return "there is no such field";
  if (!OWN_WORDS.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? "it is missing"
        : `it must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return `it must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map((value) => JSON.stringify(String(value))).join(", ")}`;
    case "too_small":
      return `it must ${haveOrBe(issue.origin)} ${String(issue.minimum)}${nameUnit(issue.origin)} at least`;
    case "too_big":
      return `it must ${haveOrBe(issue.origin)} ${String(issue.maximum)}${nameUnit(issue.origin)} at most`;
    default:
      return "it has the wrong form; see /openapi.json";
  }
}

/** Describes a union of which no branch matched any part of the value. Pure. */
export function describeUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  const [only, ...others] = new Set(issue.errors.flat().map(describeIssue));
  return only !== undefined && others.length === 0 ? only : describeIssue(issue);
}

const UNITS: Readonly<Record<string, string>> = {
  string: " characters",
  array: " entries",
};

function nameUnit(origin: string): string {
  return UNITS[origin] ?? "";
}

function haveOrBe(origin: string): string {
  return origin in UNITS ? "have" : "be";
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a whole number",
  array: "a list",
  record: "an object",
  null: "null",
};

function withArticle(type: string): string {
  return NAMES[type] ?? `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}
