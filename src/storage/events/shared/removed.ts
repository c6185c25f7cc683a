import type { Erasure, StoredEvent } from '../../../core/analytics/events/store.ts';

/** `before`: epoch milliseconds. */
export type Removed = Erasure | { before: number };

/** Everything of the tenant. */
export function isWhole(removed: Removed): boolean {
  if ('before' in removed || 'threadPrefix' in removed || 'executionIds' in removed) return false;
  return removed.threadId === undefined;
}

/** Whether a quarantined event, or a batch that is not JSON, is erased. */
export function erases(erasure: Erasure, content: unknown): boolean {
  if (isWhole(erasure)) return true;
  if ('threadPrefix' in erasure) return hasThread(content, erasure.threadPrefix);
  const ids = 'executionIds' in erasure ? erasure.executionIds : [erasure.threadId!];
  // An unreadable batch is removed as a whole if it contains one of the ids.
  if (typeof content === 'string') return ids.some((id) => content.includes(JSON.stringify(id)));
  if (typeof content !== 'object' || content === null) return false;
  const { threadId, executionId } = content as Partial<StoredEvent>;
  if ('executionIds' in erasure) return threadId === null && ids.includes(executionId as string);
  return threadId === erasure.threadId;
}

function hasThread(content: unknown, prefix: string): boolean {
  if (typeof content === 'string') return content.includes(JSON.stringify(prefix).slice(0, -1));
  if (typeof content !== 'object' || content === null) return false;
  return (content as Partial<StoredEvent>).threadId?.startsWith(prefix) === true;
}
