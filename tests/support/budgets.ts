import type { ChatBudgets } from '../../src/core/agents/chat/chat-budgets.ts';

/** For chats whose callers have no budgets. */
export const NO_BUDGETS: Pick<ChatBudgets, 'reserve'> = {
  reserve: async () => ({ extend: async () => true, settle: () => undefined }),
};
