import { type RawBuilder, sql } from 'kysely';
import { MAX_COUNTED_LINES } from '../../../core/base/audit/schema.ts';
import type {
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditPageAsked,
  AuditPlace,
  AuditStore,
  LinesOf,
} from '../../../core/base/audit/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { dialectOf } from './dialect.ts';
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

  async list(of: LinesOf, { limit, offset, before, after, ...filter }: AuditPageAsked): Promise<AuditPage> {
    const branches = await this.branchesOf(of, filter);
    const rows = after
      ? (await this.rows(branches, { after, order: 'asc', limit: limit + 1, offset })).toReversed()
      : await this.rows(branches, { before, order: 'desc', limit: limit + 1, offset });
    const hasMore = rows.length > limit;
    const shown = hasMore ? (after ? rows.slice(1) : rows.slice(0, limit)) : rows;
    const isWhole = !before && !after && !hasMore && (rows.length > 0 || offset === 0);
    return { items: shown.map(toEntry), total: isWhole ? offset + rows.length : await this.count(branches), hasMore };
  }

  async next(
    of: LinesOf,
    { after, limit, ...filter }: AuditFilter & { after: AuditPlace | null; limit: number },
  ): Promise<AuditEntry[]> {
    const branches = await this.branchesOf(of, filter);
    return (await this.rows(branches, { after: after ?? undefined, order: 'asc', limit, offset: 0 })).map(toEntry);
  }

  async prune(before: number): Promise<number> {
    const { numDeletedRows } = await this.database
      .deleteFrom('audit_log')
      .where('at', '<', before)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /**
   * Conditions that each have an index in the order of lines, and together match the filter: a
   * choice of columns or actions would sort all that match.
   */
  private async branchesOf(of: LinesOf, { action, actor, target, from, to }: AuditFilter): Promise<Branches> {
    const common = [
      ...(of === 'all' ? [] : [of.tenantId === null ? sql`tenant_id IS NULL` : sql`tenant_id = ${of.tenantId}`]),
      ...(target === undefined ? [] : [sql`target = ${target}`]),
      ...(from == null ? [] : [sql`at >= ${from}`]),
      ...(to == null ? [] : [sql`at < ${to}`]),
    ];
    // The index of actors has actions at its end: many lines are not read for the few.
    const column = dialectOf(this.database).filtered('action');
    const range = action === undefined ? [] : [sql`${column} >= ${action} AND ${column} ${afterAll(action)}`];
    if (actor !== undefined) {
      const whose = [sql`actor = ${actor}`, sql`actor_id = ${actor}`];
      return { overlap: true, conditions: whose.map((one) => [...common, one, ...range]) };
    }
    // No index has the actions of all tenants.
    if (of === 'all') return { overlap: false, conditions: [[...common, ...range]] };
    const actions = action?.endsWith('.') ? await this.actionsWith(of, action) : [action];
    const each = actions.map((one) => [...common, ...(one === undefined ? [] : [sql`action = ${one}`])]);
    return { overlap: false, conditions: each };
  }

  /** The actions in the log that begin so, each found by a step in the index. */
  private async actionsWith(of: Exclude<LinesOf, 'all'>, prefix: string): Promise<string[]> {
    const whose = of.tenantId === null ? sql`tenant_id IS NULL AND` : sql`tenant_id = ${of.tenantId} AND`;
    const { rows } = await sql<{ action: string }>`
      WITH RECURSIVE found (action) AS (
        SELECT min(action) FROM audit_log WHERE ${whose} action >= ${prefix} AND action ${afterAll(prefix)}
        UNION ALL
        SELECT (SELECT min(action) FROM audit_log WHERE ${whose} action > found.action AND action ${afterAll(prefix)})
          FROM found WHERE action IS NOT NULL
      )
      SELECT action FROM found WHERE action IS NOT NULL`.execute(this.database);
    return rows.map(({ action }) => action);
  }

  private async rows({ overlap, conditions }: Branches, { before, after, order, limit, offset }: PageOfRows) {
    if (conditions.length === 0) return [];
    const direction = sql.raw(order);
    const place = [
      ...(before ? [sql`at <= ${before.at} AND (at < ${before.at} OR id < ${before.id})`] : []),
      ...(after ? [sql`at >= ${after.at} AND (at > ${after.at} OR id > ${after.id})`] : []),
    ];
    const found = conditions.map(
      (branch) => sql`SELECT id, at FROM (SELECT id, at FROM audit_log ${where([...branch, ...place])}
        ORDER BY at ${direction}, id ${direction} LIMIT ${offset + limit}) AS branch`,
    );
    const { rows } = await sql<StateTables['audit_log']>`
      SELECT * FROM audit_log WHERE id IN (
        SELECT id FROM (${sql.join(found, either(overlap))}) AS found
          ORDER BY at ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}
      ) ORDER BY at ${direction}, id ${direction}`.execute(this.database);
    return rows;
  }

  private async count({ overlap, conditions }: Branches): Promise<number> {
    if (conditions.length === 0) return 0;
    const found = conditions.map(
      (branch) => sql`SELECT id FROM (SELECT id FROM audit_log ${where(branch)} LIMIT ${MAX_COUNTED_LINES}) AS branch`,
    );
    const { rows } = await sql<{ total: number }>`
      SELECT count(*) AS total FROM (SELECT id FROM (${sql.join(found, either(overlap))}) AS found
        LIMIT ${MAX_COUNTED_LINES}) AS counted`.execute(this.database);
    return rows[0]!.total;
  }
}

/** Conditions that all hold. */
type Branch = RawBuilder<unknown>[];

interface Branches {
  conditions: Branch[];
  /** Whether a line may match several. */
  overlap: boolean;
}

function either(overlap: boolean): RawBuilder<unknown> {
  return overlap ? sql` UNION ` : sql` UNION ALL `;
}

/** The end of the range of an action, or of those with a prefix: `/` follows the period. */
function afterAll(action: string): RawBuilder<unknown> {
  return action.endsWith('.') ? sql`< ${`${action.slice(0, -1)}/`}` : sql`<= ${action}`;
}

interface PageOfRows {
  before?: AuditPlace | undefined;
  after?: AuditPlace | undefined;
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

function where(conditions: Branch): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
}

function toEntry(row: StateTables['audit_log']): AuditEntry {
  const { actor: label, actor_kind: kind, actor_id: id, client, details, ...rest } = row;
  const actor = { kind, id, label, ...(client !== null && { client }) };
  return { ...fromRow(rest), actor, details: JSON.parse(details) };
}
