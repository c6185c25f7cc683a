/** Dropped once read: undici stores bodies until the response has ended. */
export class OneShotBody implements Iterable<Uint8Array> {
  readonly length: number;
  private bytes: Uint8Array | null;

  constructor(body: string | Uint8Array) {
    this.bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.length = this.bytes.length;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    const { bytes } = this;
    this.bytes = null;
    if (bytes) yield bytes;
  }
}
