import type { Capabilities } from '../../core/agents/chat/capabilities.ts';
import type { Thinking } from '../../core/agents/chat/schema.ts';

export type Effort = 'low' | 'medium' | 'high';

/** Our choice: vendors publish no such table. */
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

/** Undefined: the model decides. */
export function effortOf(thinking: Thinking | undefined, { thinking: style }: Capabilities): Effort | undefined {
  if (thinking?.type !== 'enabled' || thinking.budgetTokens === undefined || style === 'none') return undefined;
  if (thinking.budgetTokens <= LOW_BUDGET) return 'low';
  return thinking.budgetTokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
