import fc from 'fast-check';
import { ProviderFault } from '../../src/core/agents/chat/provider.ts';
import { EventBatch, type MessageReader, readChunk } from '../../src/providers/shared/reading.ts';
import { SseDecoder } from '../../src/providers/shared/sse.ts';
import { add, nothingTold, type Told } from './support.ts';

export function eventsOf(...events: (object | string)[]): string {
  return events.map((data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`).join('');
}

export function readText(reader: MessageReader, ...parts: (string | Uint8Array)[]): Told {
  const decoder = new SseDecoder();
  const told = nothingTold();
  const tell = (batch: EventBatch) => {
    for (const event of batch.events) add(event, told);
  };
  for (const part of parts) {
    const batch = new EventBatch();
    try {
      readChunk(decoder, Buffer.from(part), reader, batch);
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      told.fault = error;
    }
    tell(batch);
    if (told.fault) return told;
  }
  if (reader.state === 'open') return told;
  const last = new EventBatch();
  reader.end(last);
  tell(last);
  return told;
}

/** A text as bytes, cut wherever it pleases. */
export function cut(text: string): fc.Arbitrary<Uint8Array[]> {
  const bytes = Buffer.from(text);
  return fc
    .array(fc.nat(bytes.length), { maxLength: 20 })
    .map((cuts) => [0, ...cuts.sort((one, other) => one - other), bytes.length])
    .map((at) => at.slice(1).map((end, index) => bytes.subarray(at[index], end)));
}
