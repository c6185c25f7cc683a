import type { Capabilities } from '../../core/chat/capabilities.ts';
import type { Thinking } from '../../core/chat/schema.ts';

export type Effort = 'low' | 'medium' | 'high';

/** Budgets up to which an effort is meant. A choice of ours: vendors publish no such table. */
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

/** The effort that a budget of tokens means; undefined leaves it to the model. */
export function effortOf(thinking: Thinking | undefined, { thinking: style }: Capabilities): Effort | undefined {
  if (thinking?.type !== 'enabled' || thinking.budgetTokens === undefined || style === 'none') return undefined;
  if (thinking.budgetTokens <= LOW_BUDGET) return 'low';
  return thinking.budgetTokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
