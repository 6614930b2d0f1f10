import { expect, test } from "vitest";
import { readTypedLine, renderHelp, type TypedLine } from "../../cli/chat/commands.ts";

test.each<[string, TypedLine]>([
  ["", { kind: "nothing" }],
  [" /PLAN ", { kind: "command", name: "/plan", file: null }],
  ["/NEW", { kind: "/new" }],
  ["/undo", { kind: "message", text: "undo that" }],
  ["/map", { kind: "command", name: "/map", file: null }],
  ["/map ", { kind: "command", name: "/map", file: null }],
  [" /Map  my plan.SVG ", { kind: "command", name: "/map", file: "my plan.SVG" }],
  [
    "/map of Berlin",
    {
      kind: "unknown",
      problem:
        'Cannot draw the map into "of Berlin": name a file that ends in .svg, as in /map plan.svg',
    },
  ],
  [
    "/plan my week",
    { kind: "unknown", problem: 'Cannot run "/plan" with "my week": write /plan alone' },
  ],
  [
    "/State\n/plan",
    {
      kind: "unknown",
      problem:
        'Cannot run "/state" from a text of several lines, and nothing was sent: type commands one at a time; a text that begins with other words is one message',
    },
  ],
  ["Today:\n/plan", { kind: "message", text: "Today:\n/plan" }],
  ["/etc/hosts is broken", { kind: "message", text: "/etc/hosts is broken" }],
  ["/shrug whatever", { kind: "message", text: "/shrug whatever" }],
  ["/mapx y", { kind: "unknown", problem: 'Unknown command "/mapx"; did you mean "/map"?' }],
  ["/mapp", { kind: "unknown", problem: 'Unknown command "/mapp"; did you mean "/map"?' }],
])("readTypedLine() reads %j", (line, typed) => {
  expect(readTypedLine(line)).toEqual(typed);
});

test("in a narrow terminal, what a command does stands beside it", () => {
  expect(renderHelp(40).split("\n").slice(4, 9)).toEqual([
    "/state    show what this conversation",
    "          remembers",
    "/plan     show the plan as a checklist",
    "/map      show what the experts said",
    "          last; /map FILE.svg draws it",
  ]);
});
