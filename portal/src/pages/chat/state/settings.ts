import { t } from '../../../language/index.ts';
import type { Conversation } from './conversation.ts';
import { countSet, problemsOf } from './parameters.ts';
import { toolsOf } from './tools/form.ts';
import { checkedTools } from './tools/text.ts';

/** How much is set, and why it cannot be sent; null if it can. */
export function settingsOf({ instructions, parameters, tools }: Conversation): {
  count: number;
  problem: string | null;
} {
  const count = Number(instructions.trim() !== '') + countSet(parameters) + toolsOf(tools).length;
  const isWrong = Object.keys(problemsOf(parameters)).length > 0 || checkedTools(tools.text).problems.length > 0;
  return { count, problem: isWrong ? t('Some parameters or tools cannot be sent: open them to see why.') : null };
}
