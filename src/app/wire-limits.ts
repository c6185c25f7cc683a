import { type Limits, limitsOfProcess } from '../core/limits/limits.ts';
import type { SecretKey } from '../core/sealing/secret-key.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { Log } from '../logging/log.ts';
import type { PostgresDatabase } from '../storage/postgres/database.ts';

interface LimitParts {
  /** Null: of this process alone. */
  postgres: Pick<PostgresDatabase, 'pool'> | null;
  secretKey: SecretKey;
  effects: Pick<Effects, 'now'>;
  log: Log;
}

export async function openLimits({ postgres, secretKey, effects: { now }, log }: LimitParts): Promise<Limits> {
  if (postgres === null) return limitsOfProcess(now);
  const { limitsOfNodes } = await import('../storage/postgres/limits/limits.ts');
  return limitsOfNodes({
    ...{ pool: postgres.pool, secretKey, now },
    onChange: (isAway, error) =>
      isAway
        ? log.warn(
            { err: error },
            'the database is slow or away: until it answers, this node limits requests on its own',
          )
        : log.info('limits of requests are shared by all nodes again'),
  });
}
