/* DuckDB's UUIDs: 128 bits, lowest byte first, highest bit inverted for signed order. */

const LENGTH = 36;
const HYPHENS = [8, 13, 18, 23];
const BYTES = 16;
/** Indexes of the first of each byte's two digits. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const NO_DIGIT = 0x10;
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return value === -1 ? NO_DIGIT : value;
});

/** Parses and validates in one pass, twice as fast as two. */
export class Uuids {
  /** Undefined for rows whose id is not a UUID. */
  readonly values: Uint8Array<ArrayBuffer>;
  private readonly present: boolean[];

  constructor(ids: string[]) {
    this.values = new Uint8Array(ids.length * BYTES);
    this.present = ids.map((id, row) => this.read(id, row * BYTES + BYTES - 1));
  }

  has(row: number): boolean {
    return this.present[row]!;
  }

  /** Writes downwards from `highest`. Returns whether the bytes are valid. */
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

/** Only in the form that DuckDB prints. */
export function isUuid(id: string): boolean {
  return new Uuids([id]).has(0);
}
