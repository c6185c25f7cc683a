import type { Limits } from './model.ts';

export interface Batch {
  /** The index of the first. */
  from: number;
  texts: string[];
}

/** Keeps the order. A text above `maxBytes` goes alone, so keep `maxTextBytes` within it. */
export function* batchesOf(
  texts: readonly string[],
  { maxTexts, maxBytes, maxTextBytes }: Omit<Limits, 'maxRequests'>,
): Generator<Batch, void, void> {
  let batch: Batch = { from: 0, texts: [] };
  let bytes = 0;
  for (const [index, given] of texts.entries()) {
    const text = cutToBytes(given, maxTextBytes);
    const size = Buffer.byteLength(text);
    if (batch.texts.length > 0 && (batch.texts.length === maxTexts || bytes + size > maxBytes)) {
      yield batch;
      batch = { from: index, texts: [] };
      bytes = 0;
    }
    batch.texts.push(text);
    bytes += size;
  }
  if (batch.texts.length > 0) yield batch;
}

const BYTES_PER_UNIT = 3;
const encoder = new TextEncoder();

/** UTF-8 bytes. Cuts between characters and replaces lone surrogates. */
export function cutToBytes(text: string, maxBytes: number): string {
  const whole = text.toWellFormed();
  if (whole.length * BYTES_PER_UNIT <= maxBytes || Buffer.byteLength(whole) <= maxBytes) return whole;
  const { read } = encoder.encodeInto(whole, new Uint8Array(maxBytes));
  return whole.slice(0, read);
}
