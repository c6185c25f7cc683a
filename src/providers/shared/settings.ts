import { loweredParam } from '../../core/agents/chat/apply-capabilities.ts';
import type { Capabilities } from '../../core/agents/chat/capabilities.ts';
import { type ChatEvent, type ProviderCall, refused, type Warning } from '../../core/agents/chat/provider.ts';
import type { Thinking } from '../../core/agents/chat/schema.ts';

export async function* withWarnings(
  warnings: readonly Warning[],
  events: AsyncIterable<ChatEvent[]>,
): AsyncGenerator<ChatEvent[]> {
  let pending = warnings;
  for await (const batch of events) {
    yield pending.length > 0 ? [...pending, ...batch] : batch;
    pending = [];
  }
}

export function refuseDropped(
  warnings: readonly Warning[],
  { requiredParams }: Pick<ProviderCall, 'requiredParams'>,
): void {
  const dropped = warnings.find(
    ({ droppedParam }) => droppedParam !== undefined && requiredParams.includes(droppedParam),
  );
  if (dropped) throw refused(dropped.message);
}

/** `refuseDropped` passes it: the member is sent, with another value. */
export function loweredTemperature(temperature: number, model: string): Warning {
  const message = `temperature: is lowered from ${temperature} to 1, the highest that ${model} takes`;
  return warning(message, loweredParam('temperature', temperature, 1));
}

export function warning(message: string, droppedParam?: string): Warning {
  return { type: 'warning', message, ...(droppedParam === undefined ? {} : { droppedParam }) };
}

export type Effort = 'low' | 'medium' | 'high';

/** Our choice: vendors publish no such table. */
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

/** The model decides if it is undefined. */
export function effortOf(thinking: Thinking | undefined, { thinking: style }: Capabilities): Effort | undefined {
  if (thinking?.type !== 'enabled' || thinking.budgetTokens === undefined || style === 'none') return undefined;
  if (thinking.budgetTokens <= LOW_BUDGET) return 'low';
  return thinking.budgetTokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
