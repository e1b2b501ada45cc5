import { z } from 'zod';
import { databaseUrlVariable } from '@smartlink/process/config';

export const migrateConfigSchema = z.object({
  DATABASE_URL: databaseUrlVariable('postgres:', 'postgresql:').describe('address of the Postgres database'),
  CLICKHOUSE_URL: databaseUrlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path',
  ),
  CLICKHOUSE_ENGINE_PREFIX: z
    .enum(['Replicated'], 'expected Replicated, or nothing')
    .optional()
    .describe('Replicated where ClickHouse is a cluster with Keeper (docs/scale.md); none by default'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .optional()
    .describe("name of the cluster as in system.clusters, for 'on cluster'; none by default"),
  CLICKHOUSE_LOCAL_DATABASE: z
    .string()
    .regex(/^[A-Za-z_]\w{0,62}$/, 'expected a plain name: letters, digits and _')
    .optional()
    .describe(
      'database of the tables themselves on a cluster of several shards; that of CLICKHOUSE_URL then has Distributed ones',
    ),
});
