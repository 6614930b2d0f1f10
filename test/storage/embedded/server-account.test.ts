import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { permits } from "../../../storage/embedded/server-account.ts";

const account = { uid: 1000, gid: 1000 };
const RIGHTS = ["read", "write", "enter"] as const;

test.each([
  ["its owner", { uid: 1000, gid: 0, mode: 0o700 }, [true, true, true]],
  ["its owner, who is shut out", { uid: 1000, gid: 1000, mode: 0o077 }, [false, false, false]],
  ["its group", { uid: 0, gid: 1000, mode: 0o710 }, [false, false, true]],
  ["everybody", { uid: 0, gid: 0, mode: 0o755 }, [true, false, true]],
  ["nobody else", { uid: 0, gid: 0, mode: 0o700 }, [false, false, false]],
])("permits() a file open to %s", (_name, file, expected) => {
  expect(RIGHTS.map((right) => permits(file, { account, right }))).toEqual(expected);
});

property.prop([fc.integer({ min: 0, max: 0o7777 })])(
  "permits() looks at one class of users only",
  (mode) => {
    const others = { uid: 0, gid: 0, mode };
    for (const right of RIGHTS) {
      expect(permits(others, { account, right })).toBe(
        permits({ ...others, mode: mode & 0o007 }, { account, right }),
      );
    }
  },
);
