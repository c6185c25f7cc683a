import type { BudgetReserver } from '../../src/core/agents/chat/budgets.ts';

/** For chats whose callers have no budgets. */
export const NO_BUDGETS: BudgetReserver = {
  reserve: async () => ({ extend: async () => true, settle: () => undefined }),
};
