import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Profiler } from "node:inspector";

/** Whose functions the time was spent in, and the share of all time that was not idle, from 0 to 1. */
export interface SelfTime {
  /** An npm package, "this project: " and a folder, "node", "garbage collection", or "elsewhere". */
  readonly owner: string;
  readonly share: number;
}

/** As much of a CPU profile as is read: each function's place, and how often it was seen at work. */
export interface SampledFunctions {
  readonly nodes: readonly (Pick<Profiler.ProfileNode, "hitCount"> & {
    readonly callFrame: Pick<Profiler.ProfileNode["callFrame"], "functionName" | "url">;
  })[];
}

/**
 * Sums a CPU profile's self time by owner, most first. What a function calls counts for what is
 * called; waiting counts for nobody.
 *
 * @param root the project's folder, as a path.
 */
export function selfTimes({ nodes }: SampledFunctions, root: string): readonly SelfTime[] {
  const project = `${pathToFileURL(root).href}/`;
  const samples = new Map<string, number>();
  let all = 0;
  for (const { callFrame, hitCount = 0 } of nodes) {
    if (hitCount === 0 || callFrame.functionName === "(idle)") continue;
    const owner = ownerOf(callFrame, project);
    samples.set(owner, (samples.get(owner) ?? 0) + hitCount);
    all += hitCount;
  }
  return [...samples]
    .map(([owner, count]) => ({ owner, share: count / all }))
    .toSorted((a, b) => b.share - a.share || (a.owner < b.owner ? -1 : 1));
}

/** The innermost package: one may have packages of its own. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u;

function ownerOf(
  { functionName, url }: { readonly functionName: string; readonly url: string },
  project: string,
): string {
  if (functionName === "(garbage collector)") return "garbage collection";
  // What is built into V8 has no place, Node's own modules have no file.
  if (url === "" || url.startsWith("node:")) return "node";
  // Packages in CommonJS have a path for their place, those in ES modules a URL.
  const place = isAbsolute(url) ? pathToFileURL(url).href : url;
  const name = PACKAGE.exec(place)?.[1];
  if (name !== undefined) return decodeURIComponent(name);
  if (!place.startsWith(project)) return "elsewhere";
  const [folder = "", ...rest] = place.slice(project.length).split("/");
  return rest.length === 0 ? "this project" : `this project: ${decodeURIComponent(folder)}`;
}
