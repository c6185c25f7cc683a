import { loweredParam } from '../../core/agents/chat/apply-capabilities.ts';
import { type ChatEvent, type ProviderCall, refused, type Warning } from '../../core/agents/chat/provider.ts';

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
