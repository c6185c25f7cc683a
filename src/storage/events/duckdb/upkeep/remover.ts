import type { DuckDBConnection } from '@duckdb/node-api';
import type { Erasure, OldestEvents } from '../../../../core/analytics/events/store.ts';
import { erases, isWhole, type Removed } from '../../shared/removed.ts';
import { type DuckdbObserver, observedTransaction, type StageObserver } from '../observer.ts';
import type { OpenFiles } from '../open-files.ts';
import { eventsOf } from '../tables.ts';
import type { Transact } from '../transactions.ts';
import type { Quarantined } from '../write/quarantine.ts';

interface Surroundings {
  exclusively: (use: () => Promise<number>, urgent: boolean) => Promise<number>;
  visiblePosition: () => number;
}

export class Remover {
  private readonly parts: OpenFiles;
  private readonly observer: DuckdbObserver;
  private readonly store: Surroundings;

  constructor(parts: OpenFiles, observer: DuckdbObserver, store: Surroundings) {
    this.parts = parts;
    this.observer = observer;
    this.store = store;
  }

  /** The caller has flushed the spool. */
  erase(tenantId: string, erasure: Erasure): Promise<number> {
    const { catalogue, database, spool } = this.parts;
    return this.removing(tenantId, true, async () => {
      const refused = await this.eraseRefused(tenantId, erasure);
      if (!isWhole(erasure)) {
        const events = await this.removeSome(tenantId, erasure);
        await this.forgetErased();
        return refused + events;
      }
      const tenant = await findTenant(database.writer, tenantId);
      const events = tenant ? await removeTenant(database.write, tenant, this.observer) : 0;
      await catalogue.open(database.writer);
      await this.forgetErased();
      // A tenant without events in the tables may have ids in the spool.
      if (!tenant) await spool.eraseIds(tenantId, this.store.visiblePosition());
      return refused + events;
    });
  }

  expire(tenantId: string, before: number): Promise<number> {
    this.parts.quarantine.remove((entry) => entry.tenantId === tenantId && Date.parse(entry.at) < before);
    return this.removing(tenantId, false, () => this.removeSome(tenantId, { before }));
  }

  /** The tenants for which `expire` may find something. */
  async oldest(connection: DuckDBConnection, before: number): Promise<OldestEvents> {
    const oldest = await firstSeen(connection, before);
    for (const { tenantId, at } of this.parts.quarantine.find(({ at }) => Date.parse(at) < before)) {
      const known = oldest[tenantId];
      if (known !== null) oldest[tenantId] = Math.min(known ?? Number.POSITIVE_INFINITY, Date.parse(at));
    }
    return oldest;
  }

  /** False if a failure has left some; the next opening repeats it. */
  async hasForgottenErased(): Promise<boolean> {
    return (await idsToForget(this.parts.database.writer)).length === 0;
  }

  /** Forgets also the ids that a crash has left. */
  async forgetErased(): Promise<void> {
    const { database, spool } = this.parts;
    const forgotten = await idsToForget(database.writer);
    if (forgotten.length === 0) return;
    for (const { tenantId, ids } of forgotten) {
      if (ids === null) await spool.eraseIds(tenantId, this.store.visiblePosition());
      else await spool.eraseSomeIds(tenantId, ids);
    }
    await database.writer.run('DELETE FROM ids_to_forget');
  }

  private async removing(tenantId: string, urgent: boolean, use: () => Promise<number>): Promise<number> {
    try {
      return await this.store.exclusively(use, urgent);
    } finally {
      // After an error too: a failed commit may have succeeded.
      this.parts.changes.changed(tenantId);
    }
  }

  private async eraseRefused(tenantId: string, erasure: Erasure): Promise<number> {
    const { quarantine, spool } = this.parts;
    const isErased = (entry: Quarantined) => entry.tenantId === tenantId && erases(erasure, entry.content);
    const refused = quarantine.find(isErased);
    // The line is removed last: an erasure repeated after a crash must find it.
    await spool.eraseSomeIds(
      tenantId,
      refused.flatMap(({ content }) => idIn(content)),
    );
    quarantine.remove(isErased);
    return refused.length;
  }

  private async removeSome(tenantId: string, removed: Removed): Promise<number> {
    const { catalogue, database } = this.parts;
    const tenant = await findTenant(database.writer, tenantId);
    if (!tenant) return 0;
    const events = await removeEvents(database.write, tenant, removed, this.observer);
    catalogue.forget(tenantId);
    return events;
  }
}

function idIn(content: unknown): string[] {
  const isEvent = typeof content === 'object' && content !== null && 'id' in content;
  return isEvent && typeof content.id === 'string' ? [content.id] : [];
}

/** Removals exclude compaction, so every run is complete. */
const EVERY_RUN = 2 ** 31 - 1;

interface Tenant {
  number: number;
  tenantId: string;
  listedAll: boolean;
}

async function findTenant(connection: DuckDBConnection, tenantId: string): Promise<Tenant | null> {
  const select = 'SELECT number, listed_all FROM tenants WHERE tenant_id = $1';
  const [row] = (await connection.runAndReadAll(select, [tenantId])).getRows();
  return row ? { number: Number(row[0]), tenantId, listedAll: row[1] === true } : null;
}

function removeTenant(transact: Transact, { number, tenantId }: Tenant, observer: StageObserver): Promise<number> {
  return observedTransaction(transact, 'erase', observer, async (connection) => {
    await connection.run('INSERT INTO ids_to_forget VALUES ($1, NULL)', [tenantId]);
    const events = await deleteEvents(connection, `tenant = ${number}`, []);
    for (const table of ['known_events', 'known_properties', 'learned']) {
      await connection.run(`DELETE FROM ${table} WHERE tenant = ${number}`);
    }
    await connection.run(`DELETE FROM tenants WHERE number = ${number}`);
    return events;
  });
}

function removeEvents(
  transact: Transact,
  { number, tenantId, listedAll }: Tenant,
  removed: Removed,
  observer: StageObserver,
): Promise<number> {
  return observedTransaction(transact, 'erase', observer, async (connection) => {
    const [condition, value] = conditionOf(removed);
    // Ids of expired events stay: resent events must not be stored again.
    if (!('before' in removed)) {
      const source = eventsOf(number, EVERY_RUN, ['id', 'thread_id', 'execution_id']);
      const erased = `SELECT $2, id FROM ${source} WHERE ${condition}`;
      await connection.run(`INSERT INTO ids_to_forget ${erased}`, [value, tenantId]);
    }
    const count = await deleteEvents(connection, `tenant = ${number} AND ${condition}`, [value]);
    if (count > 0) {
      await recount(connection, number, listedAll);
      await connection.run(`DELETE FROM known_properties WHERE tenant = ${number} AND
        (agent_id, event_name) NOT IN (SELECT (agent_id, event_name) FROM known_events WHERE tenant = ${number})`);
    }
    return count;
  });
}

/** For `hot`, `cold` and `eventsOf`; `$1` is the value. */
function conditionOf(removed: Removed): [condition: string, value: string | bigint] {
  if ('before' in removed) return ['timestamp < $1', BigInt(removed.before)];
  if ('threadPrefix' in removed) return ['starts_with(thread_id, $1)', removed.threadPrefix];
  const given = `SELECT unnest(from_json($1, '["VARCHAR"]'))`;
  if ('threadIds' in removed) return [`thread_id IN (${given})`, JSON.stringify(removed.threadIds)];
  if (!('executionIds' in removed)) return ['thread_id = $1', removed.threadId!];
  const where = removed.inAnyThread ? '' : 'thread_id IS NULL AND ';
  return [`${where}execution_id IN (${given})`, JSON.stringify(removed.executionIds)];
}

/** Saved in the erasure's transaction: a crash loses none. `ids` null: all of the tenant. */
async function idsToForget(connection: DuckDBConnection): Promise<{ tenantId: string; ids: string[] | null }[]> {
  const reader = await connection.runAndReadAll(
    'SELECT tenant_id, bool_or(id IS NULL), list(id) FILTER (id IS NOT NULL)::JSON::VARCHAR FROM ids_to_forget GROUP BY tenant_id',
  );
  return reader.getRows().map(([tenantId, whole, ids]) => ({
    tenantId: String(tenantId),
    ids: whole === true ? null : (JSON.parse(String(ids)) as string[]),
  }));
}

/** The earliest event is unknown of a tenant with more names than are listed. */
async function firstSeen(connection: DuckDBConnection, before: number): Promise<OldestEvents> {
  const isEarlier = before === Number.POSITIVE_INFINITY ? '' : `AND first_seen < ${before}`;
  const reader = await connection.runAndReadAll(
    `SELECT tenant_id, CASE WHEN listed_all THEN min(first_seen) END
      FROM tenants LEFT JOIN known_events ON tenant = number ${isEarlier}
      GROUP BY tenant_id, listed_all HAVING NOT listed_all OR count(first_seen) > 0`,
  );
  return Object.fromEntries(reader.getRows().map(([id, first]) => [id, first === null ? null : Number(first)]));
}

/** Recounts the runs, so that runs that became small are merged. */
async function deleteEvents(
  connection: DuckDBConnection,
  condition: string,
  values: (string | bigint)[],
): Promise<number> {
  const hot = await connection.run(`DELETE FROM hot WHERE ${condition}`, values);
  const cold = await connection.run(`DELETE FROM cold WHERE ${condition}`, values);
  if (cold.rowsChanged > 0) await recountRuns(connection);
  return hot.rowsChanged + cold.rowsChanged;
}

async function recountRuns(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `UPDATE runs SET events = coalesce((SELECT count(*) FROM cold WHERE cold.run = runs.run), 0);
     DELETE FROM runs WHERE events = 0`,
  );
}

async function recount(connection: DuckDBConnection, tenant: number, listedAll: boolean): Promise<void> {
  const source = eventsOf(tenant, EVERY_RUN, ['agent_id', 'event_name', 'timestamp']);
  const listed = listedAll ? '' : 'WHERE (agent_id, event_name) IN (SELECT (agent_id, event_name) FROM listed)';
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE listed AS SELECT agent_id, event_name FROM known_events WHERE tenant = ${tenant};
    CREATE OR REPLACE TEMP TABLE counted AS
      SELECT agent_id, event_name, count(*) AS events, min(timestamp) AS first_seen, max(timestamp) AS last_seen
      FROM ${source} ${listed} GROUP BY agent_id, event_name;
    DELETE FROM known_events WHERE tenant = ${tenant}
      AND (agent_id, event_name) NOT IN (SELECT (agent_id, event_name) FROM counted);
    UPDATE known_events SET events = counted.events, first_seen = counted.first_seen, last_seen = counted.last_seen
      FROM counted WHERE known_events.tenant = ${tenant} AND known_events.agent_id = counted.agent_id
      AND known_events.event_name = counted.event_name;
    DROP TABLE listed; DROP TABLE counted`);
}
