import { z } from "zod";
import type { JsonObject } from "../../state/json.ts";
import { ToolInputError } from "../../state/tool.ts";
import { defineTool } from "../../domain/define-tool.ts";
import type { DomainTool } from "../../state/domain.ts";
import { fetchPage } from "./fetch-page.ts";
import { readPage } from "./html-text.ts";
import { recipeFromLinkedData } from "./json-ld.ts";
import { recipeContent, type ParsedRecipe } from "./parsed-recipe.ts";
import { recipeFromText } from "./recipe-text.ts";

const MAX_CHARACTERS = 2_000_000;

/** Makes the tool that reads a recipe out of a text or page; pages are fetched only where that is allowed. */
export function createImportRecipe(options: { readonly fetchPages: boolean }): DomainTool {
  return defineTool({
    name: "import_recipe",
    subdomain: "recipes",
    steps: ["generate"],
    description: `Read a recipe out of pasted text or HTML${options.fetchPages ? ", or a URL" : ""}. Its fields come back for a draft; nothing is saved.`,
    parameters: z.strictObject({
      text: z.string().nullable().describe("the recipe as text or HTML"),
      url: z.string().nullable().describe("its page, where there is no text"),
    }),
    effect: "read",
    selectTable: () => "recipes",
    run: async (args, context) => {
      const source = await loadSource(args, options.fetchPages, context.signal);
      const parsed = readRecipe(source);
      const content = recipeContent({ ...parsed, sourceUrl: parsed.sourceUrl ?? args.url });
      assertRecipe(parsed, content);
      return draftText(content);
    },
  });
}

/** A recipe's text, or the page that has it. */
interface RecipeSource {
  readonly text: string | null;
  readonly url: string | null;
}

async function loadSource(
  args: RecipeSource,
  fetchPages: boolean,
  signal: AbortSignal | null,
): Promise<string> {
  const text = args.text?.trim() ?? "";
  if (text !== "") {
    if (text.length <= MAX_CHARACTERS) return text.replaceAll("\0", "");
    throw new ToolInputError(
      `Cannot import a text of ${text.length} characters: it is too long; give the recipe alone`,
    );
  }
  if (args.url === null) {
    throw new ToolInputError(
      "Cannot import a recipe: neither text nor url is given; give the text",
    );
  }
  if (!fetchPages) {
    throw new ToolInputError(
      "Cannot fetch a page: this installation fetches none; ask for the text of the recipe instead",
    );
  }
  return (await fetchPage(args.url, { signal })).replaceAll("\0", "");
}

function readRecipe(source: string): ParsedRecipe {
  if (/^\s*[[{]/.test(source)) {
    const recipe = recipeFromLinkedData([source]);
    if (recipe !== null) return recipe;
  }
  if (!/<(?:html|body|script|div|p|li|h[1-6])\b/i.test(source)) return recipeFromText(source);
  const page = readPage(source);
  return recipeFromLinkedData(page.linkedData) ?? recipeFromText(page.text);
}

function assertRecipe(recipe: ParsedRecipe, content: JsonObject): void {
  const { ingredients } = content;
  if (recipe.name.trim() !== "" && Array.isArray(ingredients) && ingredients.length > 0) return;
  throw new ToolInputError(
    "Cannot import the recipe: no name or no ingredients were found; give the name on the first line, then one ingredient a line, then the steps",
  );
}

function draftText(content: JsonObject): string {
  return `Not saved. Fields for a draft of type recipe: ${JSON.stringify(content)}`;
}
