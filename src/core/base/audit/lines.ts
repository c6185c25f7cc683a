import { formatUtc } from '../time/time.ts';
import type { AuditFormat } from './schema.ts';
import type { AuditEntry, AuditFilter, AuditStore, LinesOf } from './store.ts';

const LINES_PER_PAGE = 500;

/** The matching lines as text, oldest first, as they are read. */
export async function* auditLines(
  store: AuditStore,
  of: LinesOf,
  { format, ...filter }: AuditFilter & { format: AuditFormat },
): AsyncGenerator<string> {
  if (format === 'csv') yield HEADER;
  const lineOf = format === 'csv' ? csvLine : jsonLine;
  let after: AuditEntry | null = null;
  for (;;) {
    const entries: AuditEntry[] = await store.next(of, { ...filter, after, limit: LINES_PER_PAGE });
    if (entries.length > 0) yield entries.map(lineOf).join('');
    const last = entries.at(-1);
    if (last === undefined || entries.length < LINES_PER_PAGE) return;
    after = last;
  }
}

function jsonLine({ id, at, ...rest }: AuditEntry): string {
  return `${JSON.stringify({ id, at: formatUtc(at), ...rest })}\n`;
}

const COLUMNS = [
  'at',
  'actor',
  'actorKind',
  'actorId',
  'client',
  'action',
  'target',
  'details',
  'address',
  'requestId',
  'id',
];
/** With a byte order mark: spreadsheets take the text for another encoding without it. */
const HEADER = `\ufeff${COLUMNS.join(',')}\r\n`;

function csvLine({ id, at, actor, action, target, details, address, requestId }: AuditEntry): string {
  const whose = [actor.label, actor.kind, actor.id, actor.client ?? null];
  const cells = [formatUtc(at), ...whose, action, target, JSON.stringify(details), address, requestId, id];
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** Spreadsheets run texts that begin with these characters as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(text: string | null): string {
  if (text === null) return '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
