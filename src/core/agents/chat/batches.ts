/** Characters; each is in memory several times during a write. */
const MAX_TOGETHER = 16 * 1024 * 1024;
const MAX_CHATS_TOGETHER = 50;

/** Keeps the order. A single entry may exceed the size. */
export function inBatches<Sized extends { size: number }>(entries: Sized[]): Sized[][] {
  const parts: Sized[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    size += entry.size;
    if (size > MAX_TOGETHER || parts.at(-1)!.length === MAX_CHATS_TOGETHER) {
      parts.push([]);
      size = entry.size;
    }
    parts.at(-1)!.push(entry);
  }
  return parts;
}
