const FIRST_BYTES = 16 * 1024;
const NOTHING = Buffer.alloc(0);

/** One buffer: a list of chunks would cost 100 bytes for each tiny one. */
export class ResponseBuffer {
  private readonly maxBytes: number;
  private readonly reserve: (bytes: number) => void;
  private readonly tooLarge: () => Error;
  private buffer: Buffer = NOTHING;
  private length = 0;

  /** `grant` is called before memory is allocated, and throws when the budget is exhausted. */
  constructor(maxBytes: number, { grant, tooLarge }: { grant: (bytes: number) => void; tooLarge: () => Error }) {
    this.maxBytes = maxBytes;
    this.reserve = grant;
    this.tooLarge = tooLarge;
  }

  add(part: Buffer): void {
    const length = this.length + part.length;
    if (length > this.maxBytes) throw this.tooLarge();
    if (this.length === 0) {
      // Most responses arrive in one chunk, which is then not copied.
      this.reserve(part.length);
      this.buffer = part;
      this.length = length;
      return;
    }
    if (length > this.buffer.length) this.grow(length);
    this.buffer.set(part, this.length);
    this.length = length;
  }

  get bytes(): Buffer {
    return this.buffer.length === this.length ? this.buffer : this.buffer.subarray(0, this.length);
  }

  private grow(length: number): void {
    const size = Math.min(Math.max(length, 2 * this.buffer.length, FIRST_BYTES), this.maxBytes);
    this.reserve(size - this.buffer.length);
    const larger = Buffer.allocUnsafeSlow(size);
    larger.set(this.bytes);
    this.buffer = larger;
  }
}
