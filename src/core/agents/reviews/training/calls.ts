const MAX_DEPTH = 64;

/** Null unless an object can represent the text exactly. */
export function argumentsOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isFaithful(value) ? value : null;
  } catch {
    return null;
  }
}

/** False for integers beyond 53 bits, which JSON.parse rounds, and for deep nesting. */
function isFaithful(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isFaithful(member, levels - 1));
}
