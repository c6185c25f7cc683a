/** The most vectors that are compared in one call, and bits of each. */
export const BLOCK_VECTORS = 2_048;
export const MAX_BITS = 2_048;

/* Places in the memory of the module: the query's bits, the distances, the vectors' bits. */
const DISTANCES = 256;
const ROWS = 8_192;

/**
 * Counts the bits in which vectors differ from a query: JavaScript has no instruction for it, and
 * takes eight times as long. Assembled from
 *
 *     (module (memory (export "memory") 9)
 *       (func (export "scan") (param $row i32) (param $end i32) (param $bytes i32) (param $out i32)
 *         (local $at i32) (local $sum i64)
 *         loop $rows
 *           (local.set $at (i32.const 0))
 *           (local.set $sum (i64.const 0))
 *           loop $words
 *             ;; The addend stands eight times, with the offsets 0 to 56.
 *             (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.xor
 *               (i64.load offset=0 (i32.add (local.get $row) (local.get $at)))
 *               (i64.load offset=0 (local.get $at))))))
 *             (local.tee $at (i32.add (local.get $at) (i32.const 64)))
 *             (br_if $words (i32.lt_u (local.get $bytes)))
 *           end
 *           (i64.store16 (local.get $out) (local.get $sum))
 *           (local.set $out (i32.add (local.get $out) (i32.const 2)))
 *           (local.tee $row (i32.add (local.get $row) (local.get $bytes)))
 *           (br_if $rows (i32.lt_u (local.get $end)))
 *         end))
 */
const MODULE =
  'AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQAJBxECBm1lbW9yeQIABHNjYW4AAArCAQG/AQIBfwF+A0BBACEEQgAhBQNAIAUgACAEaikDACAEKQMAhXt8IAAgBGopAwggBCkDCIV7fCAAIARqKQMQIAQpAxCFe3wgACAEaikDGCAEKQMYhXt8IAAgBGopAyAgBCkDIIV7fCAAIARqKQMoIAQpAyiFe3wgACAEaikDMCAEKQMwhXt8IAAgBGopAzggBCkDOIV7fCEFIARBwABqIgQgAkkNAAsgAyAFPQEAIANBAmohAyAAIAJqIgAgAUkNAAsL';

/* The types of Node.js leave WebAssembly out. */

interface Exports {
  memory: { buffer: ArrayBuffer };
  scan(row: number, end: number, bytesOfRow: number, out: number): void;
}

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

/** Hamming distances. Each thread needs one; it holds 576 KB. */
export class Hamming {
  private readonly exports: Exports;
  private readonly memory: Uint8Array;

  constructor() {
    const module = new WebAssembly.Module(Buffer.from(MODULE, 'base64'));
    this.exports = new WebAssembly.Instance(module).exports as Exports;
    this.memory = new Uint8Array(this.exports.memory.buffer);
  }

  /**
   * The distances of a query to each row: both have the same number of bits, a multiple of 512. The
   * result is valid until the next call.
   */
  distances(query: Uint8Array, rows: Uint8Array): Uint16Array {
    this.memory.set(query);
    this.memory.set(rows, ROWS);
    this.exports.scan(ROWS, ROWS + rows.length, query.length, DISTANCES);
    return new Uint16Array(this.memory.buffer, DISTANCES, rows.length / query.length);
  }
}
