import { createHmac } from 'node:crypto';
import { Limiter } from '../../../../core/base/concurrency/limiter.ts';
import type { SecretKey } from '../../../../core/base/sealing/secret-key.ts';
import type { FailureName, Failures, Times } from '../../../../core/limits/rates/failures.ts';
import type { PostgresPool } from '../pool.ts';
import { NOW_MS, Occasionally } from './clock.ts';

const PRUNE_MS = 3_600_000;
/** The longest time in which failures count. */
const KEPT_MS = 86_400_000;
const MAX_PRUNED = 10_000;
/** Many attempts at one account wait for each other: not all connections may. */
const AT_ONCE = { concurrency: 2, maxQueue: 1_000, rejection: 'Too many logins are under way. Try again.' };

/** Makes and locks the rows in the order of names, so that two nodes never wait for each other. */
const LOCK = `INSERT INTO login_failures AS held (name, times, at)
  SELECT name, '[]', ${NOW_MS} FROM (SELECT name FROM unnest($1::text[]) AS asked (name) ORDER BY name) AS asked
  ON CONFLICT (name) DO UPDATE SET at = excluded.at
  RETURNING name, times, ${NOW_MS} AS now`;

const STORE = `UPDATE login_failures AS held SET times = changed.times
  FROM unnest($1::text[], $2::text[]) AS changed (name, times) WHERE held.name = changed.name`;

/** Names begin with the hash of their account, and `~` sorts behind its alphabet. */
const FORGET = `DELETE FROM login_failures WHERE name >= $1 AND name < $1 || '~' RETURNING times, ${NOW_MS} AS now`;

const PRUNE = `DELETE FROM login_failures WHERE name IN (
    SELECT name FROM login_failures WHERE at < ${NOW_MS} - ${KEPT_MS} LIMIT ${MAX_PRUNED} FOR UPDATE SKIP LOCKED)`;

interface Row {
  name: string;
  times: string;
  now: number;
}

/**
 * Failures at all nodes, exactly, by the clock of the database. Without the database there is none:
 * then nobody can log in. Names are stored as hashes with a key, since people type passwords where
 * e-mails belong.
 */
export class PostgresFailures implements Failures {
  private readonly pool: PostgresPool;
  private readonly secretKey: SecretKey;
  private readonly slots = new Limiter(AT_ONCE);
  private readonly pruning = new Occasionally(PRUNE_MS);

  constructor(pool: PostgresPool, secretKey: SecretKey) {
    this.pool = pool;
    this.secretKey = secretKey;
  }

  change<Result>(
    failureNames: readonly FailureName[],
    change: (times: readonly Times[], now: number) => Result,
  ): Promise<Result> {
    const names = failureNames.map((name) => this.nameOf(name));
    return this.slots.run(async () => {
      this.pruning.run(() => this.prune());
      return this.pool.transaction(async (client) => {
        const { rows } = await client.query<Row>(LOCK, [[...new Set(names)]]);
        const lists = new Map(rows.map(({ name, times }) => [name, JSON.parse(times) as Times]));
        const now = Math.max(...rows.map((row) => row.now));
        const result = change(
          names.map((name) => lists.get(name)!),
          now,
        );
        const stored = [...lists.values()].map((times) => JSON.stringify(times));
        await client.query(STORE, [[...lists.keys()], stored]);
        return result;
      });
    });
  }

  async forget(counter: string, account: string): Promise<{ times: Times; now: number }> {
    const { rows } = await this.pool.query<Row>(FORGET, [this.prefixOf(counter, account)]);
    return { times: rows.flatMap(({ times }) => JSON.parse(times) as Times), now: rows[0]?.now ?? 0 };
  }

  /** Returns the number of removed names. */
  async prune(): Promise<number> {
    return (await this.pool.query(PRUNE)).rowCount;
  }

  private nameOf({ counter, account, of }: FailureName): string {
    return this.prefixOf(counter, account) + (of === '' ? '' : this.hash(of));
  }

  private prefixOf(counter: string, account: string): string {
    return `${counter} ${this.hash(account)} `;
  }

  private hash(text: string): string {
    return createHmac('sha256', this.secretKey.keyFor('names of failed logins')).update(text).digest('base64url');
  }
}
