/** How deep the arguments of a call may nest to be written as an object. */
const MAX_DEPTH = 64;

/** The arguments of a call as an object. Null if they are none, or if an object would not say the same as the text. */
export function argumentsOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isFaithful(value) ? value : null;
  } catch {
    return null;
  }
}

/** False for what JSON.parse rounds (whole numbers of more than 53 bits) and for what nests too deep to be written again. */
function isFaithful(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isFaithful(member, levels - 1));
}
