/** Levels of nesting; the properties object itself is the first. */
export const MAX_PROPERTIES_DEPTH = 10;
const MAX_BYTES = 64 * 1024;

/** The JSON text to store, or null if it is too long. Expects checked properties. */
export function propertiesText(properties: Record<string, unknown>): string | null {
  const text = JSON.stringify(properties);
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : null;
}
