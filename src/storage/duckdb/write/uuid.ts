/*
 * Ids that are UUIDs, in the one form in which DuckDB shows them, and how it holds them: 128 bits, the lowest byte first,
 * the highest bit turned over so that they sort as signed numbers.
 */

const LENGTH = 36;
const HYPHENS = [8, 13, 18, 23];
const BYTES = 16;
/** Where the two digits of each byte begin. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const NO_DIGIT = 0x10;
/** The values of hexadecimal digits in lower case, by their codes. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return value === -1 ? NO_DIGIT : value;
});

/** The ids of some events as a column of UUIDs. Each is read once: looking first which are any takes twice as long. */
export class Uuids {
  /** What an id that is none has here means nothing. */
  readonly values: Uint8Array<ArrayBuffer>;
  private readonly present: boolean[];

  constructor(ids: string[]) {
    this.values = new Uint8Array(ids.length * BYTES);
    this.present = ids.map((id, row) => this.read(id, row * BYTES + BYTES - 1));
  }

  /** Whether the id of this row is one that comes back byte for byte. */
  has(row: number): boolean {
    return this.present[row]!;
  }

  /** Puts the bytes down from `highest`. Tells whether they are right. */
  private read(id: string, highest: number): boolean {
    if (id.length !== LENGTH || HYPHENS.some((at) => id[at] !== '-')) return false;
    let seen = 0;
    let codes = 0;
    for (let at = 0; at < BYTES; at++) {
      const first = id.charCodeAt(DIGITS[at]!);
      const second = id.charCodeAt(DIGITS[at]! + 1);
      const [high, low] = [VALUES[first & 127]!, VALUES[second & 127]!];
      codes |= first | second;
      seen |= high | low;
      this.values[highest - at] = (high << 4) | low;
    }
    this.values[highest]! ^= 0x80;
    return codes < VALUES.length && seen < NO_DIGIT;
  }
}

/** Whether the text is a UUID that comes back byte for byte. */
export function isUuid(id: string): boolean {
  return new Uuids([id]).has(0);
}
