import { endpointHost, isLoopback } from "../../models/config.ts";
import type { ServedModels } from "../../models/servers/find-served.ts";
import type { ConfiguredModel } from "../../models/client/openai.ts";
import { KNOWN_PRICES, computeCost, type Price } from "../../models/prices.ts";
import { countCallsAtOnce, countValid } from "../../models/probe/probe-progress.ts";
import { listNotReached } from "../../models/probe/choose-next-step.ts";
import { readProbedTraits, readSpeed, type ProbedTrait } from "../../models/probe/read-traits.ts";
import { estimateProbe, type ProbePlan } from "../../models/probe/probe-steps.ts";
import type { ModelProfile, ProfileTraits } from "../../models/profile/profile.ts";
import type { ProbeReport } from "../../models/probe/run-probe.ts";
import { LEAST_WINDOW } from "../../state/limits.ts";
import { plainText } from "../chat/plain-text.ts";
import { hangRows } from "../wrap.ts";

const LABEL = 21;
const RIGHT = 64;

/** A line of a block: a label, what is known, and how. */
type Row = readonly [label: string, text: string, right?: string];

function renderBlock(title: string, right: string, rows: readonly Row[]): string {
  const lines = rows.map(([label, text, known = ""]) =>
    alignRight(label === "" ? `  ${text}` : `  ${label.padEnd(LABEL)}${text}`, known),
  );
  return `${[alignRight(title, right), ...lines].join("\n")}\n`;
}

function alignRight(left: string, right: string): string {
  if (right === "") return left;
  return `${left.length >= RIGHT ? `${left}  ` : left.padEnd(RIGHT)}${right}`;
}

/** Renders a configured model with its profile and price. Pure. */
export function renderModel(model: ConfiguredModel): string {
  const { current } = model.profile;
  const askers = [...model.roles, ...model.experts.map((id) => `expert "${id}"`)];
  const rows: readonly Row[] = [
    ["asked by", askers.join(", ")],
    profileRow("structured answers", current, ["structured"], current.structured),
    profileRow("tool calls", current, ["tools"], current.tools),
    profileRow("streaming", current, ["streams"], current.streams ? "in pieces" : "in one piece"),
    profileRow(
      "thinking",
      current,
      ["reasoningControl", "reasoningStyle", "allowance"],
      describeThinking(current),
    ),
    profileRow("window", current, ["contextWindow"], describeWindow(current)),
    profileRow("cached tokens", current, ["promptCache"], current.promptCache),
    ["price", ...describePrice(model.price, model)],
  ];
  return renderBlock(nameModel(model, null), renderTier(model), rows);
}

function nameModel({ name, baseUrl }: ConfiguredModel, server: string | null): string {
  return `${name} at ${endpointHost(baseUrl)}${server === null ? "" : ` (${plainText(server)})`}`;
}

/** The tier in which it is asked, which a narrow window decides where nothing else does. */
function renderTier({ open, profile }: ConfiguredModel): string {
  const { traits } = open({ profile });
  return `tier: ${traits?.().tier ?? profile.current.tier}`;
}

function profileRow(
  label: string,
  { evidence }: ModelProfile,
  fields: readonly (keyof ProfileTraits)[],
  text: string,
): Row {
  const source = fields.flatMap((field) => evidence[field]?.source ?? [])[0] ?? "assumed";
  return [label, text, source];
}

const number = new Intl.NumberFormat("en");
const money = new Intl.NumberFormat("en", {
  style: "currency",
  currency: KNOWN_PRICES.currency,
  maximumFractionDigits: 4,
});

function describeThinking({ reasoningStyle, reasoningControl, allowance }: ModelProfile): string {
  if (reasoningStyle === "none") return "none";
  const control = reasoningControl === "none" ? "cannot be turned down" : `by ${reasoningControl}`;
  return `${reasoningStyle}, ${control}, ${number.format(allowance)} tokens`;
}

function describeWindow({ contextWindow }: ModelProfile): string {
  return contextWindow === null ? "not known" : `${number.format(contextWindow)} tokens`;
}

function describePrice(
  price: Price | null,
  { baseUrl }: ConfiguredModel,
): readonly [text: string, right?: string] {
  if (price === null) return ["not known"];
  if (isLoopback(baseUrl) && price.input + price.cached + price.output === 0) {
    return ["nothing, on this machine"];
  }
  const { input, cached, output } = price;
  return [
    `${money.format(input)} read, ${money.format(cached)} cached, ${money.format(output)} written`,
    `a million tokens, ${KNOWN_PRICES.date}`,
  ];
}

/** A probe, and the seconds that it may take. */
interface PlannedProbe {
  readonly plan: ProbePlan;
  readonly seconds: number;
}

/** Says what a probe is about to cost. */
export function renderEstimate(model: ConfiguredModel, { plan, seconds }: PlannedProbe): string {
  const { input, output } = estimateProbe(plan);
  const tokens = number.format(Math.ceil((input + output) / 100) * 100);
  const { price } = model;
  const micros = price === null ? null : computeCost({ input, cached: 0, output }, price);
  const cost =
    micros === null
      ? "at a price that is not known"
      : micros === 0
        ? "for nothing"
        : `for about ${money.format(micros / 1_000_000)}`;
  return `Testing ${nameModel(model, null)}: at most ${Math.round(seconds)} s, about ${tokens} tokens, ${cost}.\n`;
}

/** The model of a report, and what its endpoint says of itself. */
export interface ReportedModel {
  readonly model: ConfiguredModel;
  readonly served: ServedModels;
  /** Names to write instead of one that is unknown. */
  readonly suggested: readonly string[];
  readonly seconds: number;
}

/** Renders the findings of a probe (models.md §1). Pure. */
export function renderReport(report: ProbeReport, reported: ReportedModel): string {
  const { model, served } = reported;
  const { done, plan, verdict } = report;
  const title = nameModel(model, served.server);
  if (done[0]?.outcome.kind !== "answered") {
    const code = done[0]?.outcome.kind === "failed" ? done[0].outcome.error.code : null;
    const row: Row = ["", FAILURES[code ?? ""] ?? "no answer", "not usable"];
    return `${renderBlock(title, renderTier(model), [row])}${renderAdvice(report, reported)}`;
  }
  const counts = countValid(done, plan).filter(({ asked }) => asked > 0);
  const valid = counts.map(({ node, valid, asked }) => `${node} ${valid} of ${asked}`).join(", ");
  const words = verdict.kind === "usable" ? USABLE[verdict.judged] : "not usable";
  const rows: readonly Row[] = [
    listRow(served, model.name),
    ...traitRows(report, reported),
    ...speedRow(report),
    ["", counts.length === 0 ? "" : `${valid} answers valid`, words],
  ];
  return `${renderBlock(title, renderTier(model), rows)}${renderAdvice(report, reported)}`;
}

const USABLE = {
  valid: "usable",
  "with repairs": "usable, with repairs",
  partly: "usable as far as it was tried",
} as const;

const FAILURES: Readonly<Record<string, string>> = {
  model_key_rejected: "the key is rejected",
  model_unknown: "the model is not known there",
  model_unreachable: "nothing answers at this address",
  model_no_credit: "the account has no credit",
  model_rate_limited: "too many requests",
};

function listRow({ models }: ServedModels, name: string): Row {
  if (models === null) return ["models", "the endpoint lists none"];
  const isListed = models.includes(name);
  return ["models", `${models.length} listed, this one ${isListed ? "among them" : "not"}`];
}

/** Fields that a row shows, with its label; what was set by the person is shown as it is. */
const TRAIT_ROWS: readonly (readonly [keyof ProfileTraits, string])[] = [
  ["structured", "structured answers"],
  ["tools", "tool calls"],
  ["streams", "streaming"],
  ["reasoningControl", "thinking"],
  ["promptCache", "cached tokens"],
];

function traitRows(report: ProbeReport, reported: ReportedModel): readonly Row[] {
  const { profile } = report;
  const found = readProbedTraits(report);
  const rows = TRAIT_ROWS.flatMap(([field, label]): readonly Row[] => {
    const trait = found.find((one) => one.field === field);
    if (trait === undefined) return [];
    const { source } = profile.evidence[field] ?? {};
    if (source === "set") return [[label, `${String(profile[field])} (${trait.reason})`, "set"]];
    return [[label, describeTrait(trait, report), source ?? "assumed"]];
  });
  return [...rows, windowRow(report, reported)];
}

function describeTrait({ field, reason }: ProbedTrait, { profile, done }: ProbeReport): string {
  if (field === "tools") {
    const calls = countCallsAtOnce(done);
    return calls === null ? reason : `${reason}, ${calls > 1 ? "several" : "one"} at once`;
  }
  const { reasoningStyle } = profile;
  return field === "reasoningControl" && reasoningStyle !== "none"
    ? `${reasoningStyle}, ${reason}`
    : reason;
}

function windowRow(report: ProbeReport, reported: ReportedModel): Row {
  const { contextWindow, evidence } = report.profile;
  const { source } = evidence.contextWindow ?? {};
  const trait = readProbedTraits(report).find(({ field }) => field === "contextWindow");
  if (trait === undefined) return ["window", describeWindow(report.profile), source ?? "assumed"];
  const size = contextWindow === null ? "not known" : number.format(contextWindow);
  const advice = adviseOnWindow(contextWindow, reported);
  return [
    "window",
    `${size} (${trait.reason})${advice}`,
    advice === "" ? (source ?? "assumed") : "",
  ];
}

function adviseOnWindow(window: number | null, { model, served }: ReportedModel): string {
  if (window !== null && window >= LEAST_WINDOW) return "";
  if (served.server !== null) return `: set OLLAMA_CONTEXT_LENGTH=${LEAST_WINDOW}`;
  return isLoopback(model.baseUrl)
    ? `: set the window of its server to ${LEAST_WINDOW} or more`
    : "";
}

function speedRow({ done, plan }: ProbeReport): readonly Row[] {
  const { read, written, turnSeconds } = readSpeed(done, plan);
  const speeds = [
    ...(read === null ? [] : [`${round(read)} tokens/s read`]),
    ...(written === null
      ? []
      : [read === null ? `${round(written)} tokens/s written` : `${round(written)} written`]),
  ];
  if (speeds.length === 0) return [];
  const turn =
    turnSeconds === null ? "" : `: a turn takes about ${Math.max(1, Math.round(turnSeconds))} s`;
  return [["speed", `${speeds.join(", ")}${turn}`]];
}

/** Two digits are as much as one sample tells. */
function round(value: number): string {
  return number.format(Number(value.toPrecision(2)));
}

function renderAdvice(report: ProbeReport, reported: ReportedModel): string {
  return [...nameNotReached(report, reported), ...nameRemedy(report, reported)]
    .flatMap((line) => hangRows(line, { prefix: "  ", columns: 100 }))
    .map((row) => `${row}\n`)
    .join("");
}

function nameNotReached(report: ProbeReport, { seconds }: ReportedModel): readonly string[] {
  const left = report.verdict.kind === "failed" ? [] : listNotReached(report);
  if (left.length === 0) return [];
  const reason = report.isLate ? ` within ${Math.round(seconds)} s` : ", to save tokens";
  return [`Not tried${reason}: ${left.join(", ")}.`];
}

function nameRemedy({ verdict }: ProbeReport, { suggested }: ReportedModel): readonly string[] {
  const names = suggested.map((name) => `"${plainText(name)}"`).join(", ");
  const listed = suggested.length === 0 ? "" : `; the endpoint lists ${names}`;
  switch (verdict.kind) {
    case "usable":
      return [];
    case "unusable":
      return [`To do first: ${verdict.advice}${listed}.`];
    case "failed":
      return [`${verdict.sentence}${listed}.`];
    default:
      return verdict satisfies never;
  }
}
