import { OpenAPIHono } from "@hono/zod-openapi";
import { expect, test } from "vitest";
import { toProblem } from "../../server/problems.ts";
import type { ApiEnv } from "../../server/route.ts";
import { registerDocs } from "../../server/routes/docs.ts";

function appWith(resolve?: (file: string) => string) {
  const app = new OpenAPIHono<ApiEnv>();
  app.onError((error, context) => context.json({ code: toProblem(error).code }, 501));
  registerDocs(app, resolve);
  return app;
}

test("the page loads everything from the server itself, and may load nothing else", async () => {
  const app = appWith();
  const page = await app.request("/docs");
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? "");

  expect(files).toEqual(["docs/swagger-ui.css", "docs/swagger-ui-bundle.js", "docs/page.js"]);
  for (const file of files) {
    const response = await app.request(`/${file}`);
    expect([file, response.status]).toEqual([file, 200]);
    expect((await response.text()).length).toBeGreaterThan(50);
  }
  expect(html).not.toMatch(/<script>|style=|https?:/);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("without its package the page says how to get it", async () => {
  const app = appWith(() => {
    throw new Error("Cannot find module");
  });

  for (const path of ["/docs", "/docs/swagger-ui-bundle.js"]) {
    const response = await app.request(path);
    expect([response.status, await response.json()]).toEqual([501, { code: "docs_missing" }]);
  }
});
