import { join } from "node:path";
import { defineDomain, type Domain, type EntityType } from "../../packaging/domain.ts";
import { RETAIL_TYPES } from "./entity-types.ts";
import { RETAIL_TOOLS } from "./tools.ts";

/** Customer service of the benchmark's shop: nothing is written but by its own tools. */
export const retailDomain: Domain = defineDomain({
  name: "retail",
  persona: "the customer service of a shop",
  activity: "customer service",
  rules: [
    "A pending order can be cancelled or changed, a delivered one returned or exchanged once.",
  ],
  entityTypes: RETAIL_TYPES,
  subdomains: [
    {
      name: "orders",
      type: "order",
      reads: ["item", "payment", "variant"],
      about: "what the customer has ordered",
    },
    { name: "customers", type: "customer", about: "the customer's name and address" },
    { name: "items", type: "item", about: "the lines of an order" },
    { name: "payments", type: "payment", about: "how the customer pays" },
    { name: "products", type: "product", about: "what the shop sells" },
    { name: "variants", type: "variant", about: "a product's options and prices" },
  ],
  tools: RETAIL_TOOLS,
  checks: [],
  loadProfile: async () => ({ text: "", facts: {} }),
  loadSnapshot: async () => "",
  formatQuick: () => null,
  emptyText: () => "There is nothing of the kind.",
  migrations: join(import.meta.dirname, "migrations"),
});

/** The same domain, where orders may be deleted once the customer has said yes. */
export function asDeletable(domain: Domain): Domain {
  const entityTypes = domain.entityTypes.map((type): EntityType =>
    type.type === "order"
      ? { ...type, rights: ["read", "delete"], confirm: { delete: "always" } }
      : type,
  );
  return { ...domain, entityTypes };
}
