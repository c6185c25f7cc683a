import { open, seal, UnopenableSecret } from '../../../../core/base/sealing/sealing.ts';
import type { SecretKey } from '../../../../core/base/sealing/secret-key.ts';
import type { PendingEntry, PendingStore } from '../../../../core/limits/rates/pending.ts';
import type { PostgresPool } from '../pool.ts';
import { NOW_MS, Occasionally } from './clock.ts';

const PRUNE_MS = 10_000;
/** Of each kind: anybody can begin a login. */
const MAX_ENTRIES = 10_000;

const PUT = `INSERT INTO pending AS kept (kind, key, owner, sealed, expires_at)
  VALUES ($1, $2, $3, $4, ${NOW_MS} + $5::bigint)
  ON CONFLICT (kind, key) DO UPDATE SET owner = excluded.owner, sealed = excluded.sealed,
    expires_at = excluded.expires_at, number = DEFAULT,
    count = CASE WHEN kept.expires_at > ${NOW_MS} THEN kept.count ELSE 0 END
  RETURNING expires_at AS "expiresAt"`;

/**
 * Older ones of an owner, whatever else happens: without a lock two puts at once may leave one
 * more.
 */
const KEEP_NEWEST = `DELETE FROM pending WHERE kind = $1 AND owner = $2 AND number <= (
    SELECT number FROM pending WHERE kind = $1 AND owner = $2 ORDER BY number DESC OFFSET $3 LIMIT 1)`;

const GET = `SELECT sealed FROM pending WHERE kind = $1 AND key = $2 AND expires_at > ${NOW_MS}`;
const TAKE = `DELETE FROM pending WHERE kind = $1 AND key = $2 AND expires_at > ${NOW_MS} RETURNING sealed`;
const COUNT = `UPDATE pending SET count = count + 1 WHERE kind = $1 AND key = $2 AND expires_at > ${NOW_MS}
  RETURNING count`;

const PRUNE = `DELETE FROM pending WHERE (kind, key) IN (
    SELECT kind, key FROM (
      SELECT kind, key, expires_at, row_number() OVER (PARTITION BY kind ORDER BY number DESC) AS place FROM pending
    ) AS placed WHERE place > ${MAX_ENTRIES} OR expires_at <= ${NOW_MS})`;

/**
 * For any node, by the clock of the database. Values are sealed: secrets of authenticator apps are
 * among them.
 */
export class PostgresPendingStore implements PendingStore {
  private readonly pool: PostgresPool;
  private readonly secretKey: SecretKey;
  private readonly pruning = new Occasionally(PRUNE_MS);

  constructor(pool: PostgresPool, secretKey: SecretKey) {
    this.pool = pool;
    this.secretKey = secretKey;
  }

  async put(kind: string, key: string, entry: PendingEntry, perOwner: number): Promise<number> {
    this.pruning.run(() => this.prune());
    const { owner, value, lifetimeMs } = entry;
    const sealed = seal(this.key(), JSON.stringify(value), placeOf(kind, key));
    const { rows } = await this.pool.query<{ expiresAt: number }>(PUT, [kind, key, owner, sealed, lifetimeMs]);
    await this.pool.query(KEEP_NEWEST, [kind, owner, perOwner]);
    return rows[0]!.expiresAt;
  }

  get(kind: string, key: string): Promise<unknown> {
    return this.opened(GET, kind, key);
  }

  take(kind: string, key: string): Promise<unknown> {
    return this.opened(TAKE, kind, key);
  }

  async count(kind: string, key: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(COUNT, [kind, key]);
    return rows[0]?.count ?? 0;
  }

  /** Returns the number of removed entries. */
  async prune(): Promise<number> {
    return (await this.pool.query(PRUNE)).rowCount;
  }

  private async opened(statement: string, kind: string, key: string): Promise<unknown> {
    const { rows } = await this.pool.query<{ sealed: string }>(statement, [kind, key]);
    if (!rows[0]) return null;
    try {
      return JSON.parse(open(this.key(), rows[0].sealed, placeOf(kind, key)));
    } catch (error) {
      // Of another secret: as if it had expired.
      if (error instanceof UnopenableSecret) return null;
      throw error;
    }
  }

  private key(): Uint8Array {
    return this.secretKey.keyFor('pending logins');
  }
}

function placeOf(kind: string, key: string) {
  return ['pending', kind, key];
}
