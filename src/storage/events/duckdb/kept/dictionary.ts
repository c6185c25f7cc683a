import type { Scalar } from '../../../../core/analytics/events/predicates.ts';

/** A code has two bytes. */
const MAX_VALUES = 65_536;
/** Bytes of an entry beside its text, as measured with a million entries. */
const BYTES_OF_ENTRY = 80;

/** The values of a property, or another field, of one tenant by their codes. Code 0 is no value. */
export class Dictionary {
  readonly values: (Scalar | null)[] = [null];
  bytes = BYTES_OF_ENTRY;
  private readonly codes = new Map<Scalar, number>();
  private sorted: { codes: number[]; of: number } | null = null;

  /** -1: no event has the value. */
  find(value: Scalar): number {
    return this.codes.get(value) ?? -1;
  }

  /** -1: there are too many values. */
  add(value: Scalar | null | undefined): number {
    if (value === null || value === undefined) return 0;
    const known = this.codes.get(value);
    if (known !== undefined) return known;
    if (this.values.length >= MAX_VALUES) return -1;
    const code = this.values.push(value) - 1;
    this.codes.set(value, code);
    this.bytes += BYTES_OF_ENTRY + (typeof value === 'string' ? value.length : 0);
    return code;
  }

  /** Codes of numbers, the lowest number first. */
  get ascending(): number[] {
    if (this.sorted?.of !== this.values.length) {
      const codes = [...this.values.keys()].filter((code) => typeof this.values[code] === 'number');
      codes.sort((one, other) => (this.values[one] as number) - (this.values[other] as number));
      this.sorted = { codes, of: this.values.length };
    }
    return this.sorted.codes;
  }
}
