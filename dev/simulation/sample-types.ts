import type { EntityType } from "../../state/entity.ts";
import { toText } from "./made-up-domain.ts";

/** Things with everything that a row can have: long texts, hidden columns, links and both kinds of lists. */
export const GROUP: EntityType = {
  type: "sample_group",
  table: "groups",
  words: { one: "group", many: "groups" },
  columns: [
    { name: "name", kind: "text" },
    { name: "note", kind: "text" },
    { name: "kind", kind: "text" },
    { name: "owner", kind: "text", references: "sample_item" },
    { name: "marks", kind: "tags" },
    { name: "shape", kind: "json" },
    { name: "secret", kind: "text", visible: false },
  ],
  lists: [
    {
      kind: "inline",
      name: "parts",
      table: "parts",
      foreignKey: "group_id",
      orderBy: "name",
      columns: [
        { name: "name", kind: "text" },
        { name: "amount", kind: "integer" },
        { name: "fresh", kind: "boolean" },
        { name: "maker", kind: "text", references: "sample_item" },
      ],
    },
    { kind: "entities", name: "members", type: "sample_item", foreignKey: "group_id" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => toText(name),
};

/** Things that stand in lists of others, and are pointed at. */
export const ITEM: EntityType = {
  type: "sample_item",
  refPrefix: "si",
  table: "items",
  words: { one: "item", many: "items" },
  columns: [
    { name: "name", kind: "text" },
    { name: "group_id", kind: "text", references: "sample_group" },
    { name: "size", kind: "integer" },
    { name: "ready", kind: "boolean" },
  ],
  summary: ["name"],
  orderBy: ["name"],
  label: ({ name }) => toText(name),
  facts: ({ size }) => (size === null ? "" : `size ${toText(size)}`),
};
