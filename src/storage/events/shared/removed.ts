import type { Erasure, StoredEvent } from '../../../core/analytics/events/store.ts';

/** `before`: epoch milliseconds. */
export type Removed = Erasure | { before: number };

/** Everything of the tenant: nothing is named. */
export function isWhole(removed: Removed): boolean {
  return Object.entries(removed).every(([name, value]) => name === 'threadId' && value === undefined);
}

/** Whether a quarantined event, or a batch that is not JSON, is erased. */
export function erases(erasure: Erasure, content: unknown): boolean {
  if (isWhole(erasure)) return true;
  if ('threadPrefix' in erasure) return hasThread(content, erasure.threadPrefix);
  const ids = idsOf(erasure);
  // An unreadable batch is removed as a whole if it contains one of the ids.
  if (typeof content === 'string') return ids.some((id) => content.includes(JSON.stringify(id)));
  if (typeof content !== 'object' || content === null) return false;
  const { threadId, executionId } = content as Partial<StoredEvent>;
  if ('threadIds' in erasure || !('executionIds' in erasure)) return ids.includes(threadId as string);
  return (threadId === null || erasure.inAnyThread === true) && ids.includes(executionId as string);
}

function idsOf(erasure: Exclude<Erasure, { threadPrefix: string }>): string[] {
  if ('threadIds' in erasure) return erasure.threadIds;
  return 'executionIds' in erasure ? erasure.executionIds : [erasure.threadId!];
}

function hasThread(content: unknown, prefix: string): boolean {
  if (typeof content === 'string') return content.includes(JSON.stringify(prefix).slice(0, -1));
  if (typeof content !== 'object' || content === null) return false;
  return (content as Partial<StoredEvent>).threadId?.startsWith(prefix) === true;
}
