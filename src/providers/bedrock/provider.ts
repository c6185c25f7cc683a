import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ConverseStreamCommand,
  type ConverseStreamCommandOutput,
  type ConverseStreamOutput,
} from '@aws-sdk/client-bedrock-runtime';
import {
  type ChatEvent,
  type ChatProvider,
  type ProviderCall,
  ProviderFault,
  type ProviderStream,
} from '../../core/agents/chat/provider.ts';
import { abortable } from '../../core/base/concurrency/timers.ts';
import { EventBatch } from '../shared/reading.ts';
import { withWarnings } from '../shared/settings.ts';
import { bedrockRequest } from './body.ts';
import { bedrockClient, withHeaders } from './client.ts';
import { faultOfAws, faultOfStream } from './faults.ts';
import { ConverseReader } from './reader.ts';

export const bedrockProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { input, warnings } = bedrockRequest(call);
  const ended = new AbortController();
  try {
    const { $metadata, stream: events } = await send(call, input, ended.signal);
    const close = () => ended.abort();
    return { requestId: $metadata.requestId ?? null, events: withWarnings(warnings, readConverse(events!, close)) };
  } catch (error) {
    ended.abort();
    throw faultOfAws(error);
  }
}

/** Resolves with the first event. Rejects as soon as the caller aborts, unlike the SDK. */
function send(
  { connection, signal }: ProviderCall,
  input: ConstructorParameters<typeof ConverseStreamCommand>[0],
  ended: AbortSignal,
): Promise<ConverseStreamCommandOutput> {
  const command = withHeaders(new ConverseStreamCommand(input), connection);
  const sent = bedrockClient(connection).send(command, { abortSignal: AbortSignal.any([signal, ended]) });
  return abortable(sent, signal);
}

const LINGER_MS = 1_000;

/** `close` ends the request, which the SDK does not do. */
export async function* readConverse(
  events: AsyncIterable<ConverseStreamOutput>,
  close: () => void,
): AsyncGenerator<ChatEvent[]> {
  const reader = new ConverseReader();
  const arrivals = together(events);
  let timer: NodeJS.Timeout | undefined;
  try {
    for (;;) {
      const { value: arrived = [], done } = await arrivals.next();
      const batch = new EventBatch();
      for (const event of arrived) reader.read(event, batch);
      if (reader.state === 'closed' || (done && reader.state === 'whole')) reader.end(batch);
      yield batch.events;
      if (reader.state === 'closed' || (done && reader.state === 'whole')) return;
      if (done) throw new ProviderFault('broken', 'The provider ended its answer before it was whole.');
      if (reader.state === 'whole') timer ??= setTimeout(close, LINGER_MS);
    }
  } catch (error) {
    if (reader.state !== 'whole') throw faultOfStream(error);
    const batch = new EventBatch();
    reader.end(batch);
    yield batch.events;
  } finally {
    clearTimeout(timer);
    // The connection of a complete answer can be reused once it is read to its end.
    if (reader.state === 'closed') void drain(arrivals, close);
    else close();
  }
}

/** Batches what arrives in one iteration of the event loop, then throws the source's error. */
async function* together<T>(source: AsyncIterable<T>): AsyncGenerator<T[]> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const first = await next;
    if (first.done) return;
    const arrived = [first.value];
    const turn = nextTurn(null);
    for (;;) {
      next = iterator.next();
      const more = await Promise.race([next, turn]).catch(() => null);
      // The next await throws its error.
      if (more === null || more.done) break;
      arrived.push(more.value);
    }
    yield arrived;
  }
}

async function drain(arrivals: AsyncGenerator<unknown>, close: () => void): Promise<void> {
  const timer = setTimeout(close, LINGER_MS).unref();
  try {
    while (!(await arrivals.next()).done);
  } catch {
    // The answer was complete.
  } finally {
    clearTimeout(timer);
  }
}
