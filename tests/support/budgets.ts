import type { ReservesBudgets } from '../../src/core/chat/budgets.ts';

/** For chats whose callers have no budgets. */
export const NO_BUDGETS: ReservesBudgets = {
  reserve: async () => ({ extend: async () => true, settle: () => undefined }),
};
