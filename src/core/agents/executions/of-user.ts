import type { ErasedConversations, ExecutionPlace, ExecutionStore } from './store.ts';

/** Executions of a page. */
const AT_ONCE = 1_000;

/**
 * Pages of what is erased of an end user: the user's executions, and those of the threads where
 * no other end user has one. Erase a page before you ask for the next one.
 */
export async function* conversationsOf(
  store: Pick<ExecutionStore, 'list' | 'threadsOfOthers'>,
  tenantId: string,
  userId: string,
): AsyncGenerator<ErasedConversations> {
  let after: ExecutionPlace | null = null;
  do {
    const found = await store.list(tenantId, { userId }, { by: 'startedAt', order: 'asc', after, limit: AT_ONCE });
    const threadIds = [...new Set(found.flatMap(({ execution }) => execution.threadId ?? []))];
    const shared = await store.threadsOfOthers(tenantId, threadIds, userId);
    yield {
      threadIds: threadIds.filter((threadId) => !shared.has(threadId)),
      executionIds: found.map(({ execution }) => execution.id),
      userId,
    };
    after = found.length < AT_ONCE ? null : found.at(-1)!.place;
  } while (after);
}
