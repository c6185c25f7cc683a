import type { ChatEvent } from '../core/chat/provider.ts';

/** The events of an answer, the first of them with what of the request could not be kept. */
export async function* withWarnings(
  warnings: readonly string[],
  events: AsyncIterable<ChatEvent[]>,
): AsyncGenerator<ChatEvent[]> {
  let unsaid: ChatEvent[] = warnings.map((message) => ({ type: 'warning', message }));
  for await (const batch of events) {
    yield unsaid.length > 0 ? [...unsaid, ...batch] : batch;
    unsaid = [];
  }
}
