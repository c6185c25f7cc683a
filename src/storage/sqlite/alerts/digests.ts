import type { Selectable } from 'kysely';
import type { DueQuery } from '../../../core/concurrency/due-runner.ts';
import type { DigestStore, StoredDigest } from '../../../core/digests/store.ts';
import type { Page } from '../../../core/shared/paging.ts';
import type { StateDatabase } from '../database.ts';
import { GroupCommit } from '../group-commit.ts';
import type { StateTables } from '../schema.ts';
import { insertDeliveries } from './deliveries.ts';
import { dueRows, nextDueOf } from './due.ts';

type DigestRow = Selectable<StateTables['digests']>;

export class SqliteDigestStore implements DigestStore {
  private readonly database: StateDatabase;
  private readonly commits: GroupCommit;

  constructor(database: StateDatabase) {
    this.database = database;
    this.commits = new GroupCommit(database);
  }

  async add(digest: StoredDigest): Promise<void> {
    await this.database.insertInto('digests').values(toRow(digest)).execute();
  }

  async find(tenantId: string, id: string): Promise<StoredDigest | null> {
    const row = await this.ofTenant(tenantId).selectAll().where('id', '=', id).executeTakeFirst();
    return row ? toDigest(row) : null;
  }

  async list(tenantId: string, { limit, offset }: { limit: number; offset: number }): Promise<Page<StoredDigest>> {
    const asked = this.ofTenant(tenantId);
    const rows = await asked.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await asked.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toDigest), total };
  }

  async replace(digest: StoredDigest): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('digests')
      .set({ ...toRow(digest), revision: digest.revision + 1 })
      .where('tenant_id', '=', digest.tenantId)
      .where('id', '=', digest.id)
      .where('revision', '=', digest.revision)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('digests')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  settle(
    { id, tenantId, revision }: Parameters<DigestStore['settle']>[0],
    { lastSent, nextDue, deliveries }: Parameters<DigestStore['settle']>[1],
  ): Promise<boolean> {
    return this.commits.run(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('digests')
        .set({
          revision: revision + 1,
          last_sent: JSON.stringify(lastSent),
          checked_at: lastSent.at,
          next_due: nextDue,
        })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .where('revision', '=', revision)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await insertDeliveries(transaction, tenantId, deliveries);
      return true;
    });
  }

  async due(now: number, query: DueQuery): Promise<StoredDigest[]> {
    return (await dueRows<DigestRow>(this.database, 'digests', { ...query, now })).map(toDigest);
  }

  nextDue(now: number): Promise<number | null> {
    return nextDueOf(this.database, 'digests', now);
  }

  private ofTenant(tenantId: string) {
    return this.database.selectFrom('digests').where('tenant_id', '=', tenantId);
  }
}

function toRow(digest: StoredDigest): DigestRow {
  return {
    id: digest.id,
    tenant_id: digest.tenantId,
    agent_id: digest.agentId,
    definition: JSON.stringify(digest.definition),
    targets: digest.sealedTargets,
    revision: digest.revision,
    last_sent: digest.lastSent && JSON.stringify(digest.lastSent),
    checked_at: digest.lastSent?.at ?? null,
    next_due: digest.nextDue,
    created_at: digest.createdAt,
    updated_at: digest.updatedAt,
    created_by: digest.createdBy,
  };
}

function toDigest(row: DigestRow): StoredDigest {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    definition: JSON.parse(row.definition),
    sealedTargets: row.targets,
    revision: row.revision,
    lastSent: row.last_sent === null ? null : JSON.parse(row.last_sent),
    nextDue: row.next_due,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
  };
}
