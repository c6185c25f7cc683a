import type { Limits } from './model.ts';

/** Neighbouring texts that one request holds. */
export interface Batch {
  /** The index of the first. */
  from: number;
  texts: string[];
}

/**
 * Splits texts into requests, each as large as the limits let it be. Every text is in one of them, in order. A text that is
 * larger than a whole request may be stands alone, so `maxTextBytes` should not be above `maxBytes`.
 */
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

/** As much of a text as so many bytes of UTF-8 can hold, no character halved. Halves that it has already are replaced. */
export function cutToBytes(text: string, maxBytes: number): string {
  const whole = text.toWellFormed();
  // Most are so short that nobody needs to count.
  if (whole.length * BYTES_PER_UNIT <= maxBytes || Buffer.byteLength(whole) <= maxBytes) return whole;
  const { read } = encoder.encodeInto(whole, new Uint8Array(maxBytes));
  return whole.slice(0, read);
}
