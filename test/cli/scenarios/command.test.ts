import { expect, onTestFinished, test } from "vitest";
import { startOpenAIMock } from "../../support/openai-mock.ts";
import { runCli } from "../../support/run-cli.ts";

test("npm run scenarios plays a scenario on a database of its own", async () => {
  const { exitCode, stdout, stderr } = await runCli({
    command: "scenarios",
    args: ["--only", "narrowing"],
  });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(
    /^Model: simulated.*\n\nnarrowing +as written +4\/4 {2}5\/5 {2}7\/7\n\n16 of 16 expectations hold; 1 of 1 plays hold whole\n$/u,
  );
});

test("npm run scenarios plays with the configured model, and fails when expectations do not hold", async () => {
  const endpoint = await startOpenAIMock({ answer: () => ({ text: "I cannot tell." }) });
  onTestFinished(() => endpoint.close());

  const { exitCode, stdout, stderr } = await runCli({
    command: "scenarios",
    args: ["--only", "quick-look", "--model", "openai"],
    env: { OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_MODEL: "small" },
  });

  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(stdout).toContain(`Model: small at ${new URL(endpoint.baseUrl).host}`);
  expect(stdout).toContain("quick: expected true, found false");
  expect(stdout).toContain("0 of 1 plays hold whole");
});

test("npm run scenarios refuses a scenario that does not exist in one sentence", async () => {
  const { exitCode, stdout, stderr } = await runCli({
    command: "scenarios",
    args: ["--only", "narowing"],
  });

  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: 'Cannot play "narowing": there is no such scenario; did you mean "narrowing"?\n',
  });
});
