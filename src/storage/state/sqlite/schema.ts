import { ofNewerVersion, ofOlderVersion } from '../../installation/unusable.ts';
import { executionStatements, formerFacets } from '../schema/executions.ts';
import { type EngineSchema, migrationsOf, otherVersion } from '../schema/index.ts';
import { QUEUES } from '../schema/queues.ts';

const INSERTED = `INSERT INTO review_counts
    VALUES (new.tenant_id, new.agent_id, new.rating, new.status, new.priority, 1, coalesce(new.resolved_at - new.created_at, 0))
    ON CONFLICT DO UPDATE SET reviews = reviews + 1, resolution_ms = resolution_ms + excluded.resolution_ms;`;
const DELETED = `UPDATE review_counts
    SET reviews = reviews - 1, resolution_ms = resolution_ms - coalesce(old.resolved_at - old.created_at, 0)
    WHERE tenant_id = old.tenant_id AND agent_id = old.agent_id AND rating = old.rating AND status = old.status
      AND priority = old.priority;
    DELETE FROM review_counts WHERE tenant_id = old.tenant_id AND agent_id = old.agent_id AND reviews = 0;`;

const OWN = [
  // Without content: it stores the terms only.
  `CREATE VIRTUAL TABLE review_index
    USING fts5(terms, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none')`,
  `CREATE TRIGGER reviews_index_deleted AFTER DELETE ON reviews BEGIN
    DELETE FROM review_index WHERE rowid = old.number; END`,
  `CREATE TRIGGER reviews_counted AFTER INSERT ON reviews BEGIN ${INSERTED} END`,
  `CREATE TRIGGER reviews_uncounted AFTER DELETE ON reviews BEGIN ${DELETED} END`,
  `CREATE TRIGGER reviews_recounted AFTER UPDATE OF rating, status, priority, resolved_at ON reviews
    BEGIN ${DELETED} ${INSERTED} END`,
  `CREATE TRIGGER audit_log_unchanged BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are never changed'); END`,
  // REPLACE removes the former row without firing the DELETE trigger.
  `CREATE TRIGGER audit_log_not_replaced BEFORE INSERT ON audit_log
    WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are never replaced'); END`,
  // The tenant is removed before its lines.
  `CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
    WHEN OLD.at >= unixepoch('subsec') * 1000 - 400 * 86400000
      AND (OLD.tenant_id IS NULL OR EXISTS (SELECT 1 FROM tenants WHERE id = OLD.tenant_id))
    BEGIN SELECT RAISE(ABORT, 'lines of the audit log are kept for 400 days'); END`,
];

const TERM_INDEX = `USING fts5(terms, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none')`;

const EXECUTIONS = [
  ...executionStatements({
    utf8: (text) => `CAST(${text} AS blob)`,
    newline: 'char(10)',
    numberIn: (column, name) =>
      `CASE WHEN json_type(${column}, '$.${name}') IN ('integer', 'real') THEN json_extract(${column}, '$.${name}') END`,
  }),
  `CREATE VIRTUAL TABLE execution_index ${TERM_INDEX}`,
  `CREATE VIRTUAL TABLE execution_text_index ${TERM_INDEX}`,
  `INSERT INTO execution_index (rowid, terms)
    SELECT number, ${formerFacets((column) => `lower(hex(${column}))`)} FROM executions`,
  `CREATE TRIGGER executions_index_deleted AFTER DELETE ON executions BEGIN
    DELETE FROM execution_index WHERE rowid = old.number;
    DELETE FROM execution_text_index WHERE rowid = old.number; END`,
];

/** A trigger that notes a changed execution; `number` is an expression on its row. */
function noting(name: string, event: string, row: 'new' | 'old', number = `${row}.number`): string {
  return `CREATE TRIGGER ${name} AFTER ${event}
    WHEN EXISTS (SELECT 1 FROM queues WHERE tenant_id = ${row}.tenant_id) BEGIN
    INSERT INTO queue_changes (number, tenant_id, mark)
      SELECT number, ${row}.tenant_id, random() & 4503599627370495 FROM executions WHERE number = ${number}
      ON CONFLICT (number) DO UPDATE SET mark = excluded.mark; END`;
}

const reviewed = (row: 'new' | 'old') =>
  `(SELECT number FROM executions WHERE tenant_id = ${row}.tenant_id AND id = ${row}.execution_id)`;

const QUEUE_TRIGGERS = [
  noting('executions_added_to_queues', 'INSERT ON executions', 'new'),
  noting('executions_changed_for_queues', 'UPDATE OF revision, is_indexed ON executions', 'new'),
  ...['reviews', 'assessments'].flatMap((table) => [
    noting(`${table}_added_to_queues`, `INSERT ON ${table}`, 'new', reviewed('new')),
    noting(`${table}_removed_for_queues`, `DELETE ON ${table}`, 'old', reviewed('old')),
  ]),
];

export const SQLITE: EngineSchema = {
  statement: (text) => text,
  own: OWN,
  later: { '0032-executions-contract': EXECUTIONS, '0034-queues': [...QUEUES, ...QUEUE_TRIGGERS] },
  former: '0024-sending',
};

export const sqliteMigrations = migrationsOf(SQLITE);

/** Throws an UnusableFile where this version cannot use a database with these migrations. */
export function refuseOtherVersion(path: string, applied: readonly string[]): void {
  const age = otherVersion(applied, SQLITE);
  if (age) throw (age.is === 'newer' ? ofNewerVersion : ofOlderVersion)(path, `migration ${age.by}`);
}
