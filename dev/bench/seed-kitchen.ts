import { DEMO_DAY } from "../../test/support/conversation.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { Database } from "../../storage/postgres/database.ts";

/** Gives a user a fresh demo kitchen. */
export async function seedKitchen(
  { userData }: Pick<Database, "userData">,
  userId: string,
): Promise<void> {
  const effect = { key: `seed/${userId}`, threadId: userId, lease: null };
  await userData.write(userId, effect, async (tx) => {
    await mealsDomain.demo[0]?.seed(tx, { userId, today: DEMO_DAY.today });
    return null;
  });
}
