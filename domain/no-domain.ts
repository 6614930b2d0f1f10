import type { Domain } from "../state/domain.ts";
import { renderSentence } from "../text/sentences.ts";

/** No data at all: with it the graph is a concierge for anything. */
export const NO_DOMAIN: Domain = {
  name: "none",
  persona: "an adviser for any open question",
  activity: "thinking a question through",
  rules: [],
  entityTypes: [],
  subdomains: [],
  tools: [],
  checks: [],
  loadProfile: async () => ({ text: "", facts: {} }),
  loadSnapshot: async () => "",
  formatQuick: () => null,
  emptyText: () => renderSentence("nothingStored"),
  // There is nothing to migrate.
  migrations: "",
};
