/**
 * Steps applied to the job tables, in order: another version of pg-boss or other settings of
 * a queue are another line, and `installJobTables` runs again. Apart from it, since a start that
 * has nothing to do need not load pg-boss.
 */
export const JOB_TABLE_STEPS: readonly string[] = ["0001_pg_boss_40", "0002_dead_letters_told"];
