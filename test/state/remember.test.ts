import { expect, test } from "vitest";
import { rememberFor } from "../../state/remember.ts";

test("rememberFor() asks once for an object, also where the result is undefined", () => {
  const asked: object[] = [];
  const remembered = rememberFor((key: object) => void asked.push(key));
  const one = { name: "one" };
  const equal = { name: "one" };

  expect([one, equal, one, equal].map(remembered)).toEqual(Array(4).fill(undefined));
  expect(asked).toEqual([one, equal]);
  expect(asked[0]).toBe(one);
});

test("rememberFor() remembers nothing that failed", () => {
  let fails = true;
  const remembered = rememberFor((key: { readonly name: string }) => {
    if (fails) throw new RangeError("Not yet");
    return key.name;
  });
  const one = { name: "one" };

  expect(() => remembered(one)).toThrow("Not yet");
  fails = false;
  expect(remembered(one)).toBe("one");
});
