import { type ChatEvent, type ChatUsage, type FinishReason, ProviderFault } from '../../core/agents/chat/provider.ts';
import type { ResponseBody } from '../../outbound/response-body.ts';
import type { RepeatedChunk } from './repeated-chunk.ts';
import { SseDecoder, type SseMessage } from './sse.ts';

interface Details {
  cached?: number | null;
  written?: number | null;
  reasoning?: number | null;
}

/** Omits counts that are zero or unknown. */
export function usageOf(inputTokens: number, outputTokens: number, { cached, written, reasoning }: Details): ChatUsage {
  return {
    inputTokens,
    outputTokens,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}

/** The events of one read. Joins adjacent texts. */
export class EventBatch {
  readonly events: ChatEvent[] = [];

  text(text: string): void {
    this.addTo('text', text);
  }

  reasoning(text: string): void {
    this.addTo('reasoning', text);
  }

  /** Goes first so that it does not separate texts. */
  usage(usage: ChatUsage): void {
    const [first] = this.events;
    if (first?.type === 'usage') first.usage = usage;
    else this.events.unshift({ type: 'usage', usage });
  }

  add(event: ChatEvent): void {
    this.events.push(event);
  }

  finish(reason: FinishReason): void {
    this.events.push({ type: 'finish', reason });
  }

  private addTo(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const last = this.events.at(-1);
    if (last?.type === type) last.text += text;
    else this.events.push({ type, text });
  }
}

export interface MessageReader {
  read(message: SseMessage, batch: EventBatch): void;
  /** `whole`: the terminal marker was seen, but more may come. `closed`: nothing more comes. */
  readonly state: 'open' | 'whole' | 'closed';
  /** Reads text events without decoding or parsing them. Only an optimization. */
  readonly fastPath?: RepeatedChunk;
  /** Called once, when the answer is whole. Adds the last events and `finish`. */
  end(batch: EventBatch): void;
}

/** How long a connection may take to end after its answer. */
const LINGER_MS = 1_000;

/** How long data after a whole answer, such as its usage, may take. */
const TRAILING_DATA_MS = 5_000;

export async function* readEvents(
  body: Pick<ResponseBody, 'read' | 'drain' | 'destroy'>,
  reader: MessageReader,
  afterMs = TRAILING_DATA_MS,
): AsyncGenerator<ChatEvent[]> {
  const decoder = new SseDecoder();
  let timer: NodeJS.Timeout | undefined;
  try {
    for (let chunks = await body.read(); chunks !== null; chunks = await body.read()) {
      const batch = new EventBatch();
      const fault = readAll(decoder, chunks, reader, batch);
      if (reader.state === 'closed') reader.end(batch);
      // Events before a fault are delivered.
      yield batch.events;
      if (reader.state === 'closed') return;
      if (fault !== null) throw fault;
      // Some servers neither send the end marker nor end the response.
      if (reader.state === 'whole') timer ??= setTimeout(() => body.destroy(), afterMs).unref();
    }
    yield reader.state === 'open' ? unstreamed(decoder, reader) : ended(reader);
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    if (reader.state === 'open') throw brokenOff(error);
    yield ended(reader);
  } finally {
    clearTimeout(timer);
    // The connection of a complete answer can be reused.
    if (reader.state === 'closed') body.drain(LINGER_MS);
    else body.destroy();
  }
}

/** Returns an error, so that the batch keeps the events before it. */
function readAll(decoder: SseDecoder, chunks: Buffer[], reader: MessageReader, batch: EventBatch): unknown {
  try {
    for (const chunk of chunks) readChunk(decoder, chunk, reader, batch);
    return null;
  } catch (error) {
    return error;
  }
}

export function readChunk(decoder: SseDecoder, bytes: Buffer, reader: MessageReader, batch: EventBatch): void {
  const { fastPath } = reader;
  for (let at = 0; at < bytes.length; ) {
    if (fastPath && decoder.isBetweenEvents) {
      const { text, end } = fastPath.skim(bytes, at);
      batch.text(text);
      at = end;
      if (at === bytes.length) return;
    }
    const end = fastPath ? endOfEvent(bytes, at) : bytes.length;
    for (const message of decoder.push(bytes.subarray(at, end))) if (message.data !== '') reader.read(message, batch);
    at = end;
  }
}

const EVENT_END = Buffer.from('\n\n');

function endOfEvent(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(EVENT_END, from);
  return at === -1 ? bytes.length : at + EVENT_END.length;
}

function ended(reader: MessageReader): ChatEvent[] {
  const batch = new EventBatch();
  reader.end(batch);
  return batch.events;
}

/**
 * Some servers send an error, or the whole answer, as plain JSON instead of events, or leave out
 * the last blank line.
 */
function unstreamed(decoder: SseDecoder, reader: MessageReader): ChatEvent[] {
  const batch = new EventBatch();
  const { stray } = decoder;
  try {
    // An older llama.cpp writes its errors into a field of that name.
    const data = stray.replace(/^error: *(.*)$/s, '{"error":$1}');
    const messages = data.trim() === '' ? decoder.push(Buffer.from('\n\n')) : [{ event: '', data }];
    for (const message of messages) reader.read(message, batch);
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
  }
  if (reader.state === 'open') {
    throw new ProviderFault('broken', 'The provider ended its answer before it was whole.');
  }
  reader.end(batch);
  return batch.events;
}

function brokenOff(error: unknown): ProviderFault {
  if (error instanceof SyntaxError) return new ProviderFault('broken', 'The provider sent invalid JSON.');
  if (error instanceof TypeError)
    return new ProviderFault('broken', 'The provider sent something that its API does not define.');
  return new ProviderFault('broken', 'The connection to the provider broke off.');
}
