import type { Rate } from '../../../core/limits/buckets.ts';
import type { BucketStore, Exchange, Exchanged } from '../../../core/limits/leased-buckets.ts';
import type { PostgresClient } from '../pool.ts';
import { NOW_MS, Occasionally } from './clock.ts';

const PRUNE_MS = 600_000;
const MAX_PRUNED = 10_000;

/** A clock that is set back adds nothing, and one that is behind by the wait for a lock takes nothing. */
const SINCE = 'greatest(0, excluded.at - held.at)';
const FILLED = `least(excluded.burst, held.tokens + ${SINCE} * excluded.per_minute / 60000)`;
const GRANTED = `least(excluded.granted, floor(${FILLED}))`;
const LATER = 'CASE WHEN excluded.at < held.at - 1000 THEN excluded.at ELSE greatest(excluded.at, held.at) END';

/**
 * In the order of names, so that two nodes never wait for each other. Of a new row, `granted` is what is asked, at most the
 * burst; so it comes to the conflict, too.
 */
const EXCHANGE = `INSERT INTO limit_buckets AS held (name, per_minute, burst, tokens, granted, at)
  SELECT name, per_minute, burst, least(burst, burst - granted), granted, ${NOW_MS}
  FROM (
    SELECT name, per_minute, burst, least(tokens, floor(burst)) AS granted
    FROM unnest($1::text[], $2::float8[], $3::float8[], $4::float8[]) AS asked (name, per_minute, burst, tokens)
    ORDER BY name
  ) AS asked
  ON CONFLICT (name) DO UPDATE SET
    per_minute = excluded.per_minute,
    burst = excluded.burst,
    tokens = least(excluded.burst, ${FILLED} - ${GRANTED}),
    granted = ${GRANTED},
    at = ${LATER}
  RETURNING name, granted, tokens`;

const TOKENS = `SELECT least($2::float8, tokens + greatest(0, ${NOW_MS} - at) * $3::float8 / 60000) AS tokens
  FROM limit_buckets WHERE name = $1`;

/** Full ones equal new ones. Skips those in use, so that nothing waits. */
const PRUNE = `DELETE FROM limit_buckets WHERE name IN (
    SELECT name FROM limit_buckets WHERE tokens + (${NOW_MS} - at) * per_minute / 60000 >= burst
    LIMIT ${MAX_PRUNED} FOR UPDATE SKIP LOCKED)`;

/** Token buckets of all nodes, by the clock of the database. */
export class PostgresBucketStore implements BucketStore {
  private readonly client: PostgresClient;
  private readonly pruning = new Occasionally(PRUNE_MS);

  constructor(client: PostgresClient) {
    this.client = client;
  }

  async exchange(asked: readonly Exchange[]): Promise<Exchanged[]> {
    this.pruning.run(() => this.prune());
    const rates = asked.map(({ rate }) => rate);
    const { rows } = await this.client.query<{ name: string; granted: number; tokens: number }>(EXCHANGE, [
      asked.map(({ name }) => name),
      rates.map(({ perMinute }) => perMinute),
      rates.map(({ burst }) => burst),
      asked.map(({ tokens }) => tokens),
    ]);
    const answers = new Map(rows.map((row) => [row.name, row]));
    return asked.map(({ name, rate, tokens: wanted }) => {
      const { granted, tokens } = answers.get(name)!;
      const lacks = granted < wanted;
      return { granted, waitMs: lacks ? Math.max(1, ((1 - tokens) / rate.perMinute) * 60_000) : 0 };
    });
  }

  async tokens(name: string, { burst, perMinute }: Rate): Promise<number> {
    const { rows } = await this.client.query<{ tokens: number }>(TOKENS, [name, burst, perMinute]);
    return rows[0]?.tokens ?? burst;
  }

  /** Returns the number of removed buckets. */
  async prune(): Promise<number> {
    return (await this.client.query(PRUNE)).rowCount;
  }
}
