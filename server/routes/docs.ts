import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Problem } from "../problems.ts";
import type { ApiApp } from "../route.ts";

/** Finds a file of a package; throws where the package is not installed. */
export type Resolve = (file: string) => string;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Concierge Graph: routes</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

const PAGE_SCRIPT = `SwaggerUIBundle({ url: "openapi.json", dom_id: "#page", deepLinking: true });\n`;

/** Loads from this server only. The library sets styles of elements and draws with data URLs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files of the package that the page loads. */
const FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/** Registers the page that shows all routes. Its library is an optional package. */
export function registerDocs(app: ApiApp, resolve: Resolve = resolveHere): void {
  const script = { "content-type": "text/javascript; charset=utf-8" };
  app.get("/docs", (context) => {
    findPackage(resolve);
    return context.html(PAGE, 200, { "content-security-policy": POLICY });
  });
  app.get("/docs/page.js", (context) => context.body(PAGE_SCRIPT, 200, script));
  for (const [file, type] of Object.entries(FILES)) {
    app.get(`/docs/${file}`, async (context) => {
      const bytes = await readFile(join(findPackage(resolve), file));
      return context.body(new Uint8Array(bytes), 200, {
        "content-type": type,
        "cache-control": "max-age=86400",
      });
    });
  }
}

/** Returns the folder of the page's library. @throws Problem if it is not installed. */
function findPackage(resolve: Resolve): string {
  try {
    return dirname(resolve("swagger-ui-dist/package.json"));
  } catch (cause) {
    throw new Problem("docs_missing", {
      detail:
        'Cannot show the page of routes: the package "swagger-ui-dist" is not installed; run "npm install swagger-ui-dist", or read /openapi.json',
      cause,
    });
  }
}

function resolveHere(file: string): string {
  return createRequire(import.meta.url).resolve(file);
}
