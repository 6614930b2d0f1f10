import type { EdgeType } from "../../state/claims.ts";
import { hangRows, wrapRows } from "../wrap.ts";
import type { MapView, ViewedClaim, ViewedLink } from "./map-view.ts";

/** Longer rows are hard to follow. */
const WIDEST = 100;

/** The heading and wording of each kind of link, in the order of the sections. */
const LINKS: readonly {
  readonly type: EdgeType;
  readonly heading: string;
  readonly say: (from: string, to: string) => string;
}[] = [
  { type: "conflicts", heading: "Tensions", say: (from, to) => `${from} against ${to}` },
  { type: "tradeoff", heading: "Tradeoffs", say: (from, to) => `${from} at the cost of ${to}` },
  { type: "prerequisite", heading: "Prerequisites", say: (from, to) => `${to} needs ${from}` },
  { type: "supports", heading: "Support", say: (from, to) => `${from} speaks for ${to}` },
];

/** Renders a decision map as text: claims, the links between them, and open questions. */
export function renderMap(view: MapView, columns: number): string {
  const width = Math.min(columns, WIDEST);
  const supportWidth = Math.max(0, ...view.claims.map(({ support }) => support.length));
  const shared = view.claims.filter((claim) => !claim.lone);
  const lone = view.claims.filter((claim) => claim.lone);
  const lines = [
    ...wrapRows(view.title, width),
    ...wrapRows(`${view.summary}.`, width),
    ...section("Claims, and how many experts made them", claimRows(shared, supportWidth, width)),
    ...(lone.length === 0
      ? []
      : section("Said by one expert", claimRows(lone, supportWidth, width))),
    ...LINKS.flatMap(({ type, heading, say }) => {
      const links = view.links.filter((link) => link.type === type);
      return section(
        heading,
        links.flatMap((link) => item(describeLink(link, say), width)),
      );
    }),
    ...section(
      "Not answered by any expert",
      view.gaps.flatMap((gap) => item(gap, width)),
    ),
  ];
  return lines.join("\n");
}

function claimRows(claims: readonly ViewedClaim[], supportWidth: number, width: number): string[] {
  if (claims.length === 0) return ["  none"];
  return claims.flatMap(({ label, text, why, kind, strong, support }) => {
    const prefix = `  ${support.padStart(supportWidth)}  `;
    const held = strong ? `${kind}, held by half or more` : kind;
    const under = { prefix: " ".repeat(prefix.length), columns: width };
    const isInLabel = text.trim() === label.trim() || text.trim() === "";
    return [
      ...hangRows(`${label} (${held})`, { prefix, columns: width }),
      ...(isInLabel ? [] : hangRows(text, under)),
      ...(why === "" ? [] : hangRows(`Why: ${why}`, under)),
    ];
  });
}

function describeLink({ from, to, reason }: ViewedLink, say: (a: string, b: string) => string) {
  const words = say(`“${from.label}”`, `“${to.label}”`);
  return reason === "" ? words : `${words}: ${reason}`;
}

function item(text: string, columns: number): string[] {
  return hangRows(text, { prefix: "  - ", columns });
}

function section(heading: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : ["", heading, ...rows];
}
