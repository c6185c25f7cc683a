const MAX_BYTES = 64 * 1024;
const MAX_MS = 5_000;

/**
 * The beginning of a body that tells of an error, as far as it comes: 64 KiB, five seconds, until it breaks off. The
 * status beside it says more, and must not wait for a body without end. Rejects with the signal's reason alone.
 */
export async function firstBytes(
  body: AsyncIterable<Buffer> & { destroy(): void },
  signal?: AbortSignal,
  { maxBytes = MAX_BYTES, maxMs = MAX_MS } = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), maxMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    signal?.throwIfAborted();
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks, Math.min(size, maxBytes));
}
