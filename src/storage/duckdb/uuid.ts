/*
 * Ids that are UUIDs, in the one form in which DuckDB shows them, and how it holds them: 128 bits, the lowest byte first,
 * the highest bit turned over so that they sort as signed numbers.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BYTES = 16;
/** Where the two digits of each byte begin. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** Whether the text comes back byte for byte. */
export function isUuid(id: string): boolean {
  return UUID.test(id);
}

/** The values of a column. Null has one that means nothing. */
export function uuidValues(uuids: (string | null)[]): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(uuids.length * BYTES);
  for (const [row, uuid] of uuids.entries()) {
    if (uuid === null) continue;
    const highest = row * BYTES + BYTES - 1;
    for (const [at, digit] of DIGITS.entries()) {
      values[highest - at] = digitOf(uuid.charCodeAt(digit)) * 16 + digitOf(uuid.charCodeAt(digit + 1));
    }
    values[highest]! ^= 0x80;
  }
  return values;
}

/** Of a hexadecimal digit in lower case. */
function digitOf(code: number): number {
  return code < 0x61 ? code - 0x30 : code - 0x57;
}
