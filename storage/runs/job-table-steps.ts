/**
 * Steps applied to the job tables, in order: another version of pg-boss or other settings of a queue
 * add a line, and `installJobTables` runs again. In a file of its own, since a start that has
 * nothing to migrate need not load pg-boss.
 */
export const JOB_TABLE_STEPS: readonly string[] = ["0001_pg_boss_40"];
