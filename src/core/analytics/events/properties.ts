/** The properties object is level 1. */
export const MAX_PROPERTIES_DEPTH = 10;
const MAX_BYTES = 64 * 1024;

/** Null if it is too long. Expects checked properties. */
export function propertiesText(properties: Record<string, unknown>): string | null {
  const text = JSON.stringify(properties);
  return text.length <= MAX_BYTES && Buffer.byteLength(text) <= MAX_BYTES ? text : null;
}
