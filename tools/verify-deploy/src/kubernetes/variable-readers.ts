import { configSchema as managementConfigSchema } from '@smartlink/management/config';
import { migrateConfigSchema } from '@smartlink/migrate/config';
import { ConfigError, readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import type { VariableReader, VariableReaders } from './variable-rules.js';

type Schema = Parameters<typeof readConfig>[0];

/** Returns how each component reads its variables: by the very schemas that it starts with. */
export function variableReaders(): VariableReaders {
  const redirect = readerOf(redirectConfigSchema);
  const management = readerOf(managementConfigSchema);
  const migrate = readerOf(migrateConfigSchema);
  // It has no schema of its own: it takes addresses by the names that the services have for them.
  const admin = { known: new Set([...management.known, ...migrate.known]), problems: () => [] };
  return { redirect, management, migrate, admin, backup: admin };
}

function readerOf(schema: Schema): VariableReader {
  return {
    known: new Set(Object.keys(schema.shape)),
    problems(env) {
      try {
        readConfig(schema, env);
        return [];
      } catch (err) {
        if (!(err instanceof ConfigError)) throw err;
        return err.problems;
      }
    },
  };
}
