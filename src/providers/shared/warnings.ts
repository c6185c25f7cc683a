import { type ChatEvent, type ProviderCall, refused, type Warning } from '../../core/chat/provider.ts';

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

export function warning(message: string, droppedParam?: string): Warning {
  return { type: 'warning', message, ...(droppedParam === undefined ? {} : { droppedParam }) };
}
