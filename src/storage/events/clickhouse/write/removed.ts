import type { Erasure, StoredEvent } from '../../../../core/analytics/events/store.ts';
import { integer, text } from '../read/literals.ts';

/** `before`: epoch milliseconds. */
export type Removed = Erasure | { before: number };

/** ClickHouse refuses statements above 256 KiB by default (`max_query_size`). */
const STATEMENT_BYTES = 200_000;

export function isWhole(removed: Removed): boolean {
  return !('before' in removed) && !('executionIds' in removed) && removed.threadId === undefined;
}

/** Whether ids count as new afterwards. An id outlives an event that expires. */
export function hasIdsToForget(removed: Removed): boolean {
  return !('before' in removed) && !isWhole(removed);
}

/**
 * Conditions on a tenant's events up to a flush. An event meets one at most; each fits into
 * a statement.
 */
export function removalConditions(removed: Removed, tenant: number, flush: number): string[] {
  const bounds = `tenant = ${tenant} AND flush <= ${flush}`;
  if ('before' in removed) return [`${bounds} AND timestamp < ${integer(removed.before)}`];
  if (!('executionIds' in removed)) {
    return [removed.threadId === undefined ? bounds : `${bounds} AND thread_id = ${text(removed.threadId)}`];
  }
  const ids = [...new Set(removed.executionIds)].map(text);
  return joined(ids, ', ').map((some) => `${bounds} AND thread_id IS NULL AND execution_id IN (${some})`);
}

/** As few texts as fit into a statement. */
export function joined(texts: string[], separator: string): string[] {
  const all: string[] = [];
  for (const one of texts) {
    const last = all.at(-1);
    if (last === undefined || last.length + one.length > STATEMENT_BYTES) all.push(one);
    else all[all.length - 1] = last + separator + one;
  }
  return all;
}

/** Whether a quarantined event, or a batch that is not JSON, is erased. */
export function isOf(content: unknown, removed: Erasure): boolean {
  if (isWhole(removed)) return true;
  const ids = 'executionIds' in removed ? removed.executionIds : [removed.threadId!];
  // An unreadable batch is removed as a whole if it contains one of the ids.
  if (typeof content === 'string') return ids.some((id) => content.includes(JSON.stringify(id)));
  if (typeof content !== 'object' || content === null) return false;
  const { threadId, executionId } = content as Partial<StoredEvent>;
  if ('executionIds' in removed) return threadId === null && ids.includes(executionId as string);
  return threadId === removed.threadId;
}
