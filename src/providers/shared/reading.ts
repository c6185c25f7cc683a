import { type ChatEvent, type FinishReason, ProviderFault, type Usage } from '../../core/chat/provider.ts';
import type { ResponseBody } from '../../outbound/response-body.ts';
import { SseDecoder, type SseMessage } from './sse.ts';

/** What one read brought, in order; texts that follow each other become one. */
export class Batch {
  readonly events: ChatEvent[] = [];

  text(text: string): void {
    this.addTo('text', text);
  }

  reasoning(text: string): void {
    this.addTo('reasoning', text);
  }

  /** Stands before all else, so that it parts no texts; of several the last holds. */
  usage(usage: Usage): void {
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

/**
 * Recognizes events of text in the bytes, without decoding or parsing them. It only saves time: without it the same events
 * are read.
 */
export interface FastPath {
  /** The texts of the known events from `from` on, joined, and where the first other byte is. */
  skim(bytes: Buffer, from: number): { text: string; end: number };
}

/** What a vendor's stream of messages means. */
export interface MessageReader {
  /** Adds what a message says. Throws a ProviderFault when it says that the provider failed. */
  read(message: SseMessage, batch: Batch): void;
  /** `open`: more must come. `whole`: the terminal marker was seen, though more may come. `closed`: nothing comes any more. */
  readonly state: 'open' | 'whole' | 'closed';
  /** For vendors whose events repeat themselves but for their text. */
  readonly fastPath?: FastPath;
  /** Called once, when the answer is whole: adds what could only be said at the end, `finish` last. */
  end(batch: Batch): void;
}

/** How long a connection may take to end after the answer did, before it is closed rather than used again. */
const LINGER_MS = 1_000;

/** How long what may follow a whole answer, its usage for example, may take to come. */
const AFTER_MS = 5_000;

/** The events of a body, read by read. A read that brought none, but for a comment or a part of an event, is an empty one. */
export async function* readEvents(
  body: Pick<ResponseBody, 'read' | 'drain' | 'destroy'>,
  reader: MessageReader,
  afterMs = AFTER_MS,
): AsyncGenerator<ChatEvent[]> {
  const decoder = new SseDecoder();
  let timer: NodeJS.Timeout | undefined;
  try {
    for (let chunks = await body.read(); chunks !== null; chunks = await body.read()) {
      const batch = new Batch();
      const fault = readAll(decoder, chunks, reader, batch);
      if (reader.state === 'closed') reader.end(batch);
      // Also where it is empty, as a sign of life. What came before a fault is not lost.
      yield batch.events;
      if (reader.state === 'closed') return;
      if (fault !== null) throw fault;
      // Some servers neither say that it was all nor end it.
      if (reader.state === 'whole') timer ??= setTimeout(() => body.destroy(), afterMs).unref();
    }
    if (reader.state === 'open') throw endedEarly(decoder.stray, reader);
    yield ended(reader);
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    if (reader.state === 'open') throw brokenOff(error);
    yield ended(reader);
  } finally {
    clearTimeout(timer);
    // A connection whose answer is over can be used again.
    if (reader.state === 'closed') body.drain(LINGER_MS);
    else body.destroy();
  }
}

/** Null, or what it stumbled over. */
function readAll(decoder: SseDecoder, chunks: Buffer[], reader: MessageReader, batch: Batch): unknown {
  try {
    for (const chunk of chunks) readChunk(decoder, chunk, reader, batch);
    return null;
  } catch (error) {
    return error;
  }
}

/** Skims what the fast path knows and decodes the rest, one event at a time: the next one may be known again. */
export function readChunk(decoder: SseDecoder, bytes: Buffer, reader: MessageReader, batch: Batch): void {
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
  const batch = new Batch();
  reader.end(batch);
  return batch.events;
}

/** Some servers tell of an error in plain JSON, in place of the stream or within it. */
function endedEarly(stray: string, reader: MessageReader): unknown {
  const early = new ProviderFault('broken', 'The provider ended its answer before it was whole.');
  try {
    reader.read({ event: '', data: stray }, new Batch());
    return early;
  } catch (error) {
    return error instanceof ProviderFault ? error : early;
  }
}

function brokenOff(error: unknown): ProviderFault {
  if (error instanceof SyntaxError) return new ProviderFault('broken', 'The provider sent what is not valid JSON.');
  if (error instanceof TypeError) return new ProviderFault('broken', 'The provider sent what its API does not know.');
  return new ProviderFault('broken', 'The connection to the provider broke off.');
}
