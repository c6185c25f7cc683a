/** Quotas and budgets. */
export const quotas = {};
