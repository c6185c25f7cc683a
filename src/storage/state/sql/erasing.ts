import { type RawBuilder, sql } from 'kysely';
import type { StateDatabase } from './database.ts';
import { dialectOf } from './dialect.ts';

/** A mark that its erasure did not renew for so long is one of a process that ended. */
export const ERASURE_LEASE_MS = 600_000;

/** Of a row of `tenants`. */
export function isBeingErased(database: StateDatabase): RawBuilder<boolean> {
  return sql<boolean>`(tenants.erasing_since IS NOT NULL
    AND tenants.erasing_since > ${dialectOf(database).now} - ${sql.lit(ERASURE_LEASE_MS)})`;
}
