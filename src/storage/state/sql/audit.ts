import type { AuditEntry, AuditFilter, AuditStore, LinesOf } from '../../../core/base/audit/store.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { fromRow, toRow } from './rows.ts';

export class SqlAuditStore implements AuditStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async append({ actor, details, ...entry }: AuditEntry): Promise<void> {
    const { label, kind, id, client = null } = actor;
    await this.database
      .insertInto('audit_log')
      .values({
        ...toRow(entry),
        ...{ actor: label, actor_kind: kind, actor_id: id, client },
        details: JSON.stringify(details),
      })
      .execute();
  }

  async list(
    of: LinesOf,
    { limit, offset, ...filter }: AuditFilter & { limit: number; offset: number },
  ): Promise<Page<AuditEntry>> {
    const matching = this.matching(of, filter);
    const rows = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toEntry), total };
  }

  async next(
    of: LinesOf,
    { afterId, limit, ...filter }: AuditFilter & { afterId: string; limit: number },
  ): Promise<AuditEntry[]> {
    const following = this.matching(of, filter).where('id', '>', afterId);
    return (await following.selectAll().orderBy('id').limit(limit).execute()).map(toEntry);
  }

  async prune(before: number): Promise<number> {
    const { numDeletedRows } = await this.database
      .deleteFrom('audit_log')
      .where('at', '<', before)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  private matching(of: LinesOf, { action, from, to }: AuditFilter) {
    let matching = this.database.selectFrom('audit_log');
    if (of !== 'all') {
      const { tenantId } = of;
      matching =
        tenantId === null ? matching.where('tenant_id', 'is', null) : matching.where('tenant_id', '=', tenantId);
    }
    if (action !== undefined) matching = matching.where('action', '=', action);
    if (from != null) matching = matching.where('at', '>=', from);
    if (to != null) matching = matching.where('at', '<', to);
    return matching;
  }
}

function toEntry(row: StateTables['audit_log']): AuditEntry {
  const { actor: label, actor_kind: kind, actor_id: id, client, details, ...rest } = row;
  const actor = { kind, id, label, ...(client !== null && { client }) };
  return { ...fromRow(rest), actor, details: JSON.parse(details) };
}
