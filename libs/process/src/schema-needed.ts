/**
 * The newest migration of each database that this build was made with: with any older schema it does not run. A test of
 * deploy/migrate holds it to deploy/migrations.
 */
export const SCHEMA_NEEDED = { Postgres: 7, ClickHouse: 5 } as const;

export type Engine = keyof typeof SCHEMA_NEEDED;
