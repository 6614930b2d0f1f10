import { configureGlobal } from "fast-check";

/**
 * Laws try the same values in every run, so that a red gate is about the change before it.
 * `LAW_SEED=12345 npm test` tries others; a counterexample names its seed and path.
 */
const seed = Number(process.env["LAW_SEED"] ?? 20_260_112);
configureGlobal({ seed: Number.isInteger(seed) ? seed : Date.now() });
