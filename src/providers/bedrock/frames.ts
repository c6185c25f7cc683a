/** Bytes: two lengths and two checksums at least; Amazon's own bound, with room for headers, at most. */
const MIN_FRAME = 16;
const MAX_FRAME = 17 * 1024 * 1024;
const LENGTH_BYTES = 4;

/**
 * The bytes as they are, as long as they can be frames. The SDK makes room for whatever a length says before it has seen the
 * rest: a page for people, which begins with no length, would cost it a gigabyte. Throws a RangeError in its place.
 */
export async function* frameBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  let lengthBytes = 0;
  /** Bytes of the frame that are to come after its length. */
  let rest = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length; ) {
      if (rest > 0) {
        const taken = Math.min(rest, bytes.length - offset);
        rest -= taken;
        offset += taken;
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
