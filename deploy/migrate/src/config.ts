import { urlVariable } from '@smartlink/process/config';
import { z } from 'zod';

export const migrateConfigSchema = z.object({
  DATABASE_URL: urlVariable('postgres:', 'postgresql:').describe('address of the Postgres database'),
  CLICKHOUSE_URL: urlVariable('http:', 'https:').describe(
    'address of ClickHouse, with the database as its path',
  ),
  /** `Replicated` where ClickHouse is a cluster with Keeper. */
  CLICKHOUSE_ENGINE_PREFIX: z.enum(['Replicated'], 'expected Replicated, or nothing').optional(),
  /** The cluster's name as in system.clusters. */
  CLICKHOUSE_CLUSTER: z.string().optional(),
});
