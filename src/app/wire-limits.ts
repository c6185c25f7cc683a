import { type Limits, limitsOfProcess } from '../core/limits/limits.ts';
import type { SecretKey } from '../core/sealing/secret-key.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { PostgresDatabase } from '../storage/postgres/database.ts';

interface LimitParts {
  /** Null: of this process alone. */
  postgres: Pick<PostgresDatabase, 'pool'> | null;
  secretKey: SecretKey;
  effects: Pick<Effects, 'now'>;
}

export async function openLimits({ postgres, secretKey, effects: { now } }: LimitParts): Promise<Limits> {
  if (postgres === null) return limitsOfProcess(now);
  const { limitsOfNodes } = await import('../storage/postgres/limits/limits.ts');
  return limitsOfNodes(postgres.pool, secretKey, now);
}
