import { formatUtc } from '../time/time.ts';
import type { AuditEntry, AuditFilter, AuditStore, LinesOf } from './store.ts';

const LINES_PER_PAGE = 500;

export async function* auditLines(store: AuditStore, of: LinesOf, filter: AuditFilter): AsyncGenerator<string> {
  let afterId = '';
  for (;;) {
    const entries = await store.next(of, { ...filter, afterId, limit: LINES_PER_PAGE });
    if (entries.length > 0) yield entries.map(lineOf).join('');
    const last = entries.at(-1);
    if (last === undefined || entries.length < LINES_PER_PAGE) return;
    afterId = last.id;
  }
}

function lineOf(entry: AuditEntry): string {
  const { id, at, ...rest } = entry;
  return `${JSON.stringify({ id, at: formatUtc(at), ...rest })}\n`;
}
