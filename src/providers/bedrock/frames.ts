/** Bytes: at least two lengths and two checksums; at most AWS's limit, with headers. */
const MIN_FRAME = 16;
const MAX_FRAME = 17 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** The SDK allocates what a length says: an HTML page costs a gigabyte. Throws a RangeError. */
export async function* frameBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  let lengthBytes = 0;
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
