import type { SecretKey } from '../core/base/sealing/secret-key.ts';
import type { Effects } from '../core/base/shared/effects.ts';
import { type LimitStores, limitsOfProcess } from '../core/limits/rates/limits.ts';
import type { PostgresDatabase } from '../storage/state/postgres/database.ts';

interface LimitParts {
  /** Null for limits of this process alone. */
  postgres: Pick<PostgresDatabase, 'pool'> | null;
  secretKey: SecretKey;
  effects: Pick<Effects, 'now'>;
}

export async function openLimits({ postgres, secretKey, effects: { now } }: LimitParts): Promise<LimitStores> {
  if (postgres === null) return limitsOfProcess(now);
  const { limitsOfNodes } = await import('../storage/state/postgres/limits/limits.ts');
  return limitsOfNodes(postgres.pool, secretKey, now);
}
