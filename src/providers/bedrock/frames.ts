/** Bytes. At least two lengths and two checksums; at most AWS's limit, with headers. */
const MIN_FRAME = 16;
const MAX_FRAME = 17 * 1024 * 1024;
const LENGTH_BYTES = 4;

/**
 * Passes bytes through while they can be frames. The SDK allocates whatever a length says before
 * the rest arrives: an HTML page, which begins with no length, would cost a gigabyte. Throws a
 * RangeError instead.
 */
export async function* frameBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  let lengthBytes = 0;
  /** Bytes of the frame that follow its length. */
  let rest = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length; ) {
      if (rest > 0) {
        const skipped = Math.min(rest, bytes.length - offset);
        rest -= skipped;
        offset += skipped;
        continue;
      }
      length = length * 256 + bytes[offset++]!;
      if (++lengthBytes < LENGTH_BYTES) continue;
      if (length < MIN_FRAME || length > MAX_FRAME) {
        throw new RangeError('not a stream of events');
      }
      rest = length - LENGTH_BYTES;
      length = 0;
      lengthBytes = 0;
    }
    yield bytes;
  }
}
