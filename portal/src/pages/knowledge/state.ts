/** The filter that a field holds, or why its text is none. */
export type FilterText = { filter: Record<string, unknown> | undefined } | { problem: 'json' | 'pair' };

/** `lang=en, team=support`, or JSON as the API takes it. */
export function filterOf(text = ''): FilterText {
  const trimmed = text.trim();
  if (trimmed === '') return { filter: undefined };
  if (trimmed.startsWith('{')) {
    try {
      return { filter: JSON.parse(trimmed) as Record<string, unknown> };
    } catch {
      return { problem: 'json' };
    }
  }
  const pairs = trimmed.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()] as const;
  });
  return pairs.some(([key, value]) => key === '' || value === '')
    ? { problem: 'pair' }
    : { filter: Object.fromEntries(pairs) };
}

const AROUND = 2;
/** Passages that are shown at once. */
export const WINDOW = 5;

/** The first passage of the window around a cited one. */
export function windowAround(passage: string | undefined): number {
  return passage !== undefined && /^\d{1,9}$/.test(passage) ? Math.max(0, Number(passage) - AROUND) : 0;
}

/** More than a chunk has; the server estimates tokens of texts, too. */
const CHUNK_TOKENS = 512;

/** At most so many tokens are embedded again. */
export function tokensOf(chunks: number): number {
  return chunks * CHUNK_TOKENS;
}
