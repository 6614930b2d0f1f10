import { expect, test } from "vitest";
import {
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  type NewApiKey,
} from "../../../storage/users/api-keys.ts";
import { testDatabase } from "../../support/database.ts";

const { pool, owner } = await testDatabase();

const FOR_ADA: NewApiKey = { userId: "ada", label: "Her kitchen's tablet", expiresAt: null };

test("createApiKey() returns a key that is stored nowhere, and findApiKey() whose it is", async () => {
  const { key, record } = await createApiKey(pool, FOR_ADA);
  expect(key).toMatch(/^cg_[\w-]{43}$/);
  expect(record).toEqual({
    keyId: record.keyId,
    userId: "ada",
    label: "Her kitchen's tablet",
    createdAt: expect.stringMatching(/Z$/) as string,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  });
  expect(await findApiKey(pool, key)).toEqual(record);
  const { rows } = await owner.query("select * from api_keys");
  expect(JSON.stringify(rows)).not.toContain(key.slice(3));
  expect((await createApiKey(pool, FOR_ADA)).key).not.toBe(key);
});

test("findApiKey() knows neither a key that was never made nor what is none", async () => {
  const { key } = await createApiKey(pool, FOR_ADA);
  const last = key.endsWith("A") ? "E" : "A";
  for (const wrong of [`${key.slice(0, -1)}${last}`, `${key}A`, key.slice(3), "", "\0", "' or 1=1"])
    expect(await findApiKey(pool, wrong)).toBeNull();
});

test("a key that is revoked, or whose time is over, is none; another of the user still is", async () => {
  const soon = await createApiKey(pool, { ...FOR_ADA, expiresAt: new Date(Date.now() + 60_000) });
  const over = await createApiKey(pool, { ...FOR_ADA, expiresAt: new Date(Date.now() - 1_000) });
  const revoked = await createApiKey(pool, FOR_ADA);
  expect(await findApiKey(pool, revoked.key)).toEqual(revoked.record);
  expect(await revokeApiKey(pool, revoked.record.keyId)).toBe(true);
  expect(await revokeApiKey(pool, revoked.record.keyId)).toBe(false);
  expect(await revokeApiKey(pool, "no such key")).toBe(false);
  expect(await findApiKey(pool, revoked.key)).toBeNull();
  expect(await findApiKey(pool, over.key)).toBeNull();
  expect(await findApiKey(pool, soon.key)).toEqual(soon.record);
});

test("findApiKey() writes that a key was used, at most once a minute", async () => {
  const { key, record } = await createApiKey(pool, { ...FOR_ADA, userId: "eve" });
  const used = async (): Promise<string | null> => {
    const [found] = await listApiKeys(pool, { userId: "eve" });
    return found?.lastUsedAt ?? null;
  };
  const agoBy = (seconds: number) =>
    owner.query(
      `update api_keys set last_used_at = now() - interval '${seconds} seconds' where key_id = $1`,
      [record.keyId],
    );
  expect(await used()).toBeNull();
  await findApiKey(pool, key);
  const first = await used();
  expect(first).not.toBeNull();
  await Promise.all([findApiKey(pool, key), findApiKey(pool, key)]);
  expect(await used()).toBe(first);
  await agoBy(59);
  const recent = await used();
  await findApiKey(pool, key);
  expect(await used()).toBe(recent);
  await agoBy(61);
  const old = await used();
  await findApiKey(pool, key);
  expect(await used()).not.toBe(old);
});

test("listApiKeys() lists a user's, or all, the newest first", async () => {
  const [first, second] = [
    await createApiKey(pool, { ...FOR_ADA, userId: "kim", label: "one" }),
    await createApiKey(pool, { ...FOR_ADA, userId: "kim", label: "two" }),
  ];
  expect(await listApiKeys(pool, { userId: "kim" })).toEqual([second.record, first.record]);
  expect((await listApiKeys(pool)).map(({ userId }) => userId)).toEqual(
    expect.arrayContaining(["ada", "eve", "kim"]),
  );
  expect(await listApiKeys(pool, { userId: "nobody" })).toEqual([]);
});

test("createApiKey() refuses nobody's key, and one until no time", async () => {
  await expect(createApiKey(pool, { ...FOR_ADA, userId: "" })).rejects.toThrow(RangeError);
  await expect(createApiKey(pool, { ...FOR_ADA, expiresAt: new Date("x") })).rejects.toThrow(
    RangeError,
  );
});
