import { databaseUrlVariable } from '@smartlink/process/config';
import { z } from 'zod';

export const migrateConfigSchema = z.object({
  DATABASE_URL: databaseUrlVariable('postgres:', 'postgresql:').describe('address of the Postgres database'),
  CLICKHOUSE_URL: databaseUrlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path',
  ),
  /** `Replicated` where ClickHouse is a cluster with Keeper. */
  CLICKHOUSE_ENGINE_PREFIX: z.enum(['Replicated'], 'expected Replicated, or nothing').optional(),
  /** The cluster's name as in system.clusters. */
  CLICKHOUSE_CLUSTER: z.string().optional(),
  /** Where the tables themselves are on a cluster of several shards; CLICKHOUSE_URL's database then has Distributed ones. */
  CLICKHOUSE_LOCAL_DATABASE: z
    .string()
    .regex(/^[A-Za-z_]\w{0,62}$/, 'expected a plain name: letters, digits and _')
    .optional(),
});
