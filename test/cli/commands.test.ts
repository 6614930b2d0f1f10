import { expect, test } from "vitest";
import { readTypedLine, renderHelp, type TypedLine } from "../../cli/chat/commands.ts";

test.each<[string, TypedLine]>([
  ["", { kind: "nothing" }],
  [" /PLAN ", { kind: "command", name: "/plan" }],
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
  ["/plan my week", { kind: "message", text: "/plan my week" }],
  ["/mapx y", { kind: "message", text: "/mapx y" }],
  ["/mapp", { kind: "unknown", problem: 'Unknown command "/mapp"; did you mean "/map"?' }],
])("readTypedLine() reads %j", (line, typed) => {
  expect(readTypedLine(line)).toEqual(typed);
});

test("in a narrow terminal, what a command does stands beside it", () => {
  expect(renderHelp(40).split("\n").slice(3, 8)).toEqual([
    "/state    show what this conversation",
    "          remembers",
    "/plan     show the plan as a checklist",
    "/map      show what the experts said",
    "          last; /map FILE.svg draws it",
  ]);
});
