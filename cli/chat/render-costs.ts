import { formatMoney } from "../../state/budget.ts";
import { addUpCosts, type Costs, type NodeCosts } from "./read-costs.ts";

/** Renders costs as a table for the newest turn, one for the thread, and one for today. Pure. */
export function renderCosts({ turn, thread, today }: Costs): string {
  return [
    renderTable("Last turn", turn),
    renderTable("This conversation", thread),
    renderTable("Today", today),
  ].join("\n\n");
}

function renderTable(title: string, nodes: readonly NodeCosts[]): string {
  if (nodes.length === 0) return `${title}: no model was asked`;
  const rows = [...nodes, addUpCosts(nodes)].map(listCells);
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => {
        const width = widths?.[column] ?? 0;
        if (column === cells.length - 1) return cell;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  "),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function listCells(costs: NodeCosts): readonly string[] {
  const { node, calls, input, cached, output, ms, estimated } = costs;
  const about = estimated === 0 ? "" : "about ";
  const part = input === 0 ? 0 : Math.round((cached / input) * 100);
  return [
    node,
    `${calls} ${calls === 1 ? "call" : "calls"}`,
    `${about}${input} tokens in`,
    `${part} % cached`,
    `${about}${output} out`,
    `${(ms / 1_000).toFixed(1)} s`,
    describeMoney(costs),
  ];
}

/** Money that is not known is not shown as none. */
function describeMoney({ calls, micros, unpriced, estimated }: NodeCosts): string {
  const money = `${estimated === 0 ? "" : "about "}${formatMoney(micros)}`;
  if (unpriced === 0) return money;
  if (unpriced === calls) return "price not known";
  return `${money} and ${unpriced} ${unpriced === 1 ? "call" : "calls"} of unknown price`;
}
