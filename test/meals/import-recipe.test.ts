import { test as lawTest, fc } from "@fast-check/vitest";
import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { fetchPage, isPublicAddress } from "../../meals/import/fetch-page.ts";
import { createImportRecipe } from "../../meals/import/import-recipe.ts";
import { recipeFromLinkedData } from "../../meals/import/json-ld.ts";
import { readPage } from "../../meals/import/html-text.ts";
import { runReadTool } from "../../domain/run-tool.ts";
import type { ToolRunParts } from "../../domain/tool-run.ts";
import { serveHttp } from "../support/http-server.ts";
import { anyCharacter } from "../support/any-character.ts";

function refuse(): never {
  throw new Error("Cannot query: importing needs no database");
}

const context: ToolRunParts = {
  tx: { query: refuse },
  userId: "demo",
  threadId: null,
  today: "2026-01-12",
  timeZone: "Europe/Berlin",
  refs: { resolve: refuse, find: refuse, refFor: refuse, held: refuse },
  signal: null,
  effectKey: null,
  entityTypes: [],
};

async function importText(text: string): Promise<unknown> {
  const tool = createImportRecipe({ fetchPages: false });
  const { text: answer } = await runReadTool(tool, { text, url: null }, context);
  const [head, fields = ""] = (answer ?? "").split(/(?<=recipe: )/);
  expect(head).toBe("Not saved. Fields for a draft of type recipe: ");
  return JSON.parse(fields);
}

const SOUP = {
  "@context": "https://schema.org",
  "@type": "Recipe",
  name: "Lentil Soup",
  recipeYield: ["4", "4 bowls"],
  prepTime: "PT10M",
  cookTime: "PT1H5M",
  recipeCuisine: "Turkish",
  keywords: "Soup, vegan, soup",
  recipeIngredient: [
    "200 g red lentils",
    "one large onion",
    "1.2 l water",
    "Salt &amp; pepper to taste",
  ],
  recipeInstructions: [
    { "@type": "HowToStep", text: "Soften the <b>onion</b>." },
    {
      "@type": "HowToSection",
      name: "Simmer",
      itemListElement: [{ "@type": "HowToStep", text: "Add lentils &amp; water." }],
    },
  ],
  mainEntityOfPage: { "@id": "https://example.org/soup" },
};
const SOUP_FIELDS = {
  name: "Lentil Soup",
  servings: 4,
  prep_minutes: 10,
  cook_minutes: 65,
  cuisine: "Turkish",
  tags: ["soup", "vegan"],
  instructions: "Soften the onion.\nSimmer:\nAdd lentils & water.",
  source_url: "https://example.org/soup",
  ingredients: [
    { name: "red lentils", quantity: 200, unit: "g", note: null, optional: false },
    { name: "onion", quantity: 1, unit: null, note: "large", optional: false },
    { name: "water", quantity: 1.2, unit: "l", note: null, optional: false },
    { name: "Salt & pepper", quantity: null, unit: null, note: "to taste", optional: false },
  ],
};

function makePage(...linkedData: unknown[]): string {
  const scripts = linkedData.map(
    (data) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`,
  );
  return `<!doctype html><html><head><title>Soup</title>${scripts.join("")}</head><body><p>My grandmother…</p></body></html>`;
}

describe("import_recipe of pages", () => {
  test.each([
    ["at the top", makePage(SOUP)],
    ["in @graph, after other things", makePage({ "@graph": [{ "@type": "WebSite" }, SOUP] })],
    [
      "in a list, of two types",
      makePage([{ "@type": "Person" }, { ...SOUP, "@type": ["Recipe", "NewsArticle"] }]),
    ],
    ["in a second script", makePage({ "@type": "BreadcrumbList" }, SOUP)],
    [
      "below a page",
      makePage({
        "@type": "WebPage",
        mainEntity: { ...SOUP, "@type": "http://schema.org/Recipe" },
      }),
    ],
    ["as JSON alone", JSON.stringify(SOUP)],
  ])("finds schema.org's recipe %s", async (_where, page) => {
    expect(await importText(page)).toEqual(SOUP_FIELDS);
  });

  test("passes over a broken script and odd values", () => {
    const broken = '<script type="application/ld+json">{ "@type": "Recipe", </script>';
    const odd = {
      "@type": "Recipe",
      name: ["Toast"],
      recipeYield: "a few",
      totalTime: "PT20M",
      prepTime: "five minutes",
      recipeIngredient: "2 slices bread",
      recipeInstructions: "Toast the bread.<br>Eat it.",
      url: "javascript:alert(1)",
    };

    expect(recipeFromLinkedData(readPage(broken + makePage(odd)).linkedData)).toEqual({
      name: "Toast",
      servings: null,
      prepMinutes: null,
      cookMinutes: 20,
      cuisine: null,
      tags: [],
      ingredientLines: ["2 slices bread"],
      instructions: "Toast the bread.\nEat it.",
      sourceUrl: null,
    });
  });

  test("reads the visible text of a page without linked data", async () => {
    const page = `<html><head><style>p { color: red }</style></head><body><h1>Pancakes</h1>
      <p>Serves 4</p><h2>Ingredients</h2><ul><li>2 eggs</li><li>250 g <b>flour</b></li></ul>
      <h2>Method</h2><ol><li>Whisk.</li><li>Fry.</li></ol><script>track()</script></body></html>`;

    expect(await importText(page)).toMatchObject({
      name: "Pancakes",
      servings: 4,
      instructions: "Whisk.\nFry.",
      ingredients: [
        { name: "eggs", quantity: 2 },
        { name: "flour", quantity: 250, unit: "g" },
      ],
    });
  });
});

describe("import_recipe of texts", () => {
  test("with headings", async () => {
    const text = `Shakshuka
Serves: 2
Prep: 10 min  Cook time: 1 h 20 min

Ingredients:
For the sauce:
- 1 (14 oz) can tomatoes
- 2 tbsp plus 1 tsp olive oil
- 4 eggs

Instructions:
1. Simmer the tomatoes.
2. Crack in the eggs.
https://example.org/shakshuka`;

    expect(await importText(text)).toEqual({
      name: "Shakshuka",
      servings: 2,
      prep_minutes: 10,
      cook_minutes: 80,
      instructions: "Simmer the tomatoes.\nCrack in the eggs.\nhttps://example.org/shakshuka",
      source_url: "https://example.org/shakshuka",
      ingredients: [
        { name: "tomatoes", quantity: 1, unit: "can", note: "14 oz each", optional: false },
        { name: "olive oil", quantity: 7, unit: "tsp", note: null, optional: false },
        { name: "eggs", quantity: 4, unit: null, note: null, optional: false },
      ],
    });
  });

  test("without headings", async () => {
    const text = `# Tomato toast
2 slices bread
1 tomato
- salt
Toast the bread. Rub it with the tomato.
2 minutes later it is ready.`;

    expect(await importText(text)).toMatchObject({
      name: "Tomato toast",
      instructions: "Toast the bread. Rub it with the tomato.\n2 minutes later it is ready.",
      ingredients: [{ name: "bread" }, { name: "tomato" }, { name: "salt" }],
    });
  });

  test.each([
    [
      { text: "", url: null },
      "Cannot import a recipe: neither text nor url is given; give the text",
    ],
    [
      { text: "Just a thought", url: null },
      "Cannot import the recipe: no name or no ingredients were found; give the name on the first line, then one ingredient a line, then the steps",
    ],
    [
      { text: null, url: "https://example.org" },
      "Cannot fetch a page: this installation fetches none; ask for the text of the recipe instead",
    ],
    [
      { text: "x".repeat(2_000_001), url: null },
      "Cannot import a text of 2000001 characters: it is too long; give the recipe alone",
    ],
  ])("refuses %#", async (args, message) => {
    const tool = createImportRecipe({ fetchPages: false });

    await expect(runReadTool(tool, args, context)).rejects.toMatchObject({ message });
  });

  lawTest.prop([fc.oneof(fc.string({ unit: anyCharacter }), fc.json())])(
    "any text is a recipe or refused in a sentence",
    async (text) => {
      const tool = createImportRecipe({ fetchPages: false });
      const outcome = await runReadTool(tool, { text, url: null }, context).catch(
        (error: unknown) => error,
      );

      const isRefusal = outcome instanceof Error && outcome.name === "ToolInputError";
      expect(isRefusal || !(outcome instanceof Error)).toBe(true);
    },
  );
});

/** Serves on loopback; the fetch is led there under a made-up name, as to a public host. */
async function serve(listener: RequestListener): Promise<(path?: string) => Promise<string>> {
  const port = await serveHttp(listener);
  return (path = "/") =>
    fetchPage(`http://recipes.example${path}`, {
      signal: null,
      port,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      allows: () => true,
    });
}

describe("fetchPage()", () => {
  test("gives the page's text, after redirects", async () => {
    const get = await serve((request, response) => {
      if (request.url === "/old") return response.writeHead(302, { location: "/new" }).end();
      return response.writeHead(200, { "content-type": "text/html" }).end(`<p>${request.url}</p>`);
    });

    expect(await get("/old")).toBe("<p>/new</p>");
  });

  test.each<[string, RequestListener, string]>([
    [
      "a missing page",
      (_, response) => response.writeHead(404).end(),
      "the page answered with status 404",
    ],
    [
      "a picture",
      (_, response) => response.writeHead(200, { "content-type": "image/png" }).end("x"),
      "it is no text but image/png",
    ],
    [
      "a page without end",
      (_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("x".repeat(2_000_001)),
      "it is larger than 2 MB",
    ],
    [
      "a circle of redirects",
      (_, response) => response.writeHead(301, { location: "/" }).end(),
      "it redirects more than 3 times",
    ],
    [
      "a redirect to another kind of address",
      (_, response) => response.writeHead(301, { location: "file:///etc/passwd" }).end(),
      "only http and https pages are fetched",
    ],
    ["a closed connection", (_, response) => response.destroy(), "the connection failed"],
  ])("refuses %s", async (_what, listener, reason) => {
    const get = await serve(listener);

    await expect(get()).rejects.toMatchObject({
      name: "ToolInputError",
      message: expect.stringContaining(`: ${reason}; ask for the text of the recipe instead`),
    });
  });

  test.each([
    ["http://127.0.0.1/", 'the host "127.0.0.1" is not on the public internet'],
    ["http://[::1]/", 'the host "::1" is not on the public internet'],
    [
      "http://169.254.169.254/latest/meta-data/",
      'the host "169.254.169.254" is not on the public internet',
    ],
    ["http://0x7f000001/", 'the host "127.0.0.1" is not on the public internet'],
    ["https://user:secret@example.org/", "it holds credentials"],
    ["http://example.org:5432/", "port 5432 is not fetched from"],
    ["ftp://example.org/", "only http and https pages are fetched"],
    ["recipe", "it is no web address"],
  ])("refuses %s", async (url, reason) => {
    const refusal = await fetchPage(url, { signal: null }).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ message: expect.stringContaining(`: ${reason};`) });
    expect(String(refusal)).not.toContain("secret");
  });

  test("refuses a name of which one address is private, and checks redirects anew", async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      const inside = { address: "10.0.0.7", family: 4 };
      return host === "inside.example" ? [{ address: "93.184.216.34", family: 4 }, inside] : [];
    };

    await expect(
      fetchPage("https://inside.example/", { signal: null, resolve }),
    ).rejects.toMatchObject({ name: "ToolInputError" });
    await expect(
      fetchPage("https://nowhere.example/", { signal: null, resolve }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('the host "nowhere.example" is not known'),
    });
    expect(asked).toEqual(["inside.example", "nowhere.example"]);
  });

  test.each([
    ["93.184.216.34", true],
    ["2606:2800:220:1:248:1893:25c8:1946", true],
    ["127.0.0.1", false],
    ["10.1.2.3", false],
    ["172.16.0.1", false],
    ["192.168.1.1", false],
    ["100.64.0.1", false],
    ["169.254.169.254", false],
    ["0.0.0.0", false],
    ["224.0.0.1", false],
    ["::1", false],
    ["fe80::1", false],
    ["fd00::1", false],
    ["::ffff:127.0.0.1", false],
    ["64:ff9b::7f00:1", false],
    ["not an address", false],
  ])("%s is public: %s", (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });
});
