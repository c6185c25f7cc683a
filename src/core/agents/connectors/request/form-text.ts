export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const UNRESERVED = /^[\w.~-]*$/;

/** Encodes all but the unreserved characters (RFC 3986, 2.3). */
export function encodeText(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * OpenAPI's `allowReserved`: reserved characters and encoded ones pass, but for those that a server
 * would read as the end of the value or a blank: # & + ; [ ].
 */
export function encodeUnreserved(text: string): string {
  return encodeText(text)
    .replace(/%(21|24|27|28|29|2A|2C|2F|3A|3D|3F|40)/g, decodeURIComponent)
    .replace(/%25(?=[0-9a-f]{2})/gi, '%');
}

export function lengthOf(pairs: readonly { name: string; text: string }[]): number {
  return pairs.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
}

export function formText(pairs: readonly { name: string; encoded: string }[]): string {
  return pairs.map(({ name, encoded }) => `${encodeText(name)}=${encoded}`).join('&');
}
