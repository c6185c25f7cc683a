import { sql } from 'kysely';
import type { AuditEntry, AuditStore } from '../../core/audit.ts';
import type { Page } from '../../core/paging.ts';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';

export class SqliteAuditStore implements AuditStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async append({ id, tenantId, at, actor, action, target, details }: AuditEntry): Promise<void> {
    await this.database
      .insertInto('audit_log')
      .values({
        id,
        tenant_id: tenantId,
        at,
        actor: actor.label,
        actor_kind: actor.kind,
        actor_id: actor.id,
        action,
        target,
        details: JSON.stringify(details),
      })
      .execute();
  }

  async list(
    tenantId: string,
    { action, limit, offset }: { action: string | undefined; limit: number; offset: number },
  ): Promise<Page<AuditEntry>> {
    let matching = this.database.selectFrom('audit_log').where('tenant_id', '=', tenantId);
    if (action !== undefined) matching = matching.where('action', '=', action);
    const rows = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await matching.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toEntry), total };
  }

  async prune(tenantId: string, { before, keep }: { before: number; keep: number }): Promise<number> {
    const ranked = sql`SELECT id, row_number() OVER (PARTITION BY action ORDER BY id DESC) AS place
      FROM audit_log WHERE tenant_id = ${tenantId}`;
    const { numAffectedRows } = await sql`DELETE FROM audit_log WHERE tenant_id = ${tenantId}
      AND (at < ${before} OR id IN (SELECT id FROM (${ranked}) WHERE place > ${keep}))`.execute(this.database);
    return Number(numAffectedRows ?? 0);
  }
}

function toEntry(row: StateTables['audit_log']): AuditEntry {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id, label: row.actor },
    action: row.action,
    target: row.target,
    details: JSON.parse(row.details) as AuditEntry['details'],
  };
}
