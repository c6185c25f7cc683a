import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMemoryLimit } from '../../src/workers/pdfium.ts';

const PAGE = 65_536;

/** One memory of 1 page that may grow to 32,768, exported as `memory`; a section of another kind before it. */
const MODULE = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x00, 0x03, 0x02, 0x61, 0x62],
  ...[0x05, 0x06, 0x01, 0x01, 0x01, 0x80, 0x80, 0x02],
  ...[0x07, 0x0a, 0x01, 0x06, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 0x02, 0x00],
]);

test('withMemoryLimit(): memory grows to the limit and no further', () => {
  const memory = memoryOf(withMemoryLimit(MODULE, 10 * PAGE + 1));
  memory.grow(9);
  assert.throws(() => memory.grow(1), RangeError);
  assert.equal(memory.buffer.byteLength, 10 * PAGE);
});

test('withMemoryLimit(): the original module is unchanged', () => {
  const before = MODULE.slice();
  withMemoryLimit(MODULE, PAGE);
  assert.deepEqual(MODULE, before);
  memoryOf(MODULE).grow(100);
});

test('withMemoryLimit(): an invalid limit is refused', () => {
  assert.throws(() => withMemoryLimit(MODULE, 40_000 * PAGE), /ends at 32768 pages already/);
});

test('withMemoryLimit(): a module without a maximum, or truncated, is refused', () => {
  const unbounded = MODULE.slice();
  unbounded[16] = 0;
  assert.throws(() => withMemoryLimit(unbounded, PAGE), /no memory of its own that states a maximum/);
  assert.throws(() => withMemoryLimit(MODULE.subarray(0, 8), PAGE), /no memory of its own/);
  assert.throws(() => withMemoryLimit(MODULE.subarray(0, 18), PAGE), /damaged/);
});

interface Memory {
  buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** WebAssembly's types come with the DOM library only. */
function memoryOf(wasm: Uint8Array): Memory {
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: {
      Module: new (wasm: Uint8Array) => object;
      Instance: new (module: object) => { exports: { memory: Memory } };
    };
  };
  return new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.memory;
}
