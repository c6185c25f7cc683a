const MAX_BYTES = 64 * 1024;
const MAX_MS = 5_000;

/** At most 64 KiB within five seconds. Rejects only with the signal's reason. */
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
