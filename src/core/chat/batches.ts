/** Characters that are written together: each is in memory several times meanwhile. */
const MAX_TOGETHER = 16 * 1024 * 1024;
/** Chats that are written together; after them all else that goes on has a turn. */
const MAX_CHATS_TOGETHER = 50;

/** In their order, in parts that are not too large; a single one may be. */
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
