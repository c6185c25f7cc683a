import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { type Chunk, UnreadableDocument } from '../../src/core/knowledge/reader.ts';
import { withMemoryLimit } from '../../src/workers/pdfium.ts';
import { prepare, readSlice } from '../../src/workers/slices.ts';
import { MemoryWatchdog } from '../../src/workers/watchdog.ts';
import { fileOf } from '../support/upload-file.ts';
import { docxOf, paragraph } from './formats/make-docx.ts';
import { optionsFor } from './formats/sections.ts';

const MB = 1_000_000;
const NEVER = new AbortController().signal;

/** A watchdog with a manual clock and memory, and the names of the tasks it aborted. */
function manualWatchdog() {
  const state = { rss: 100 * MB, now: 0 };
  const watchdog = new MemoryWatchdog({ rss: () => state.rss, now: () => state.now, every: 1e9, grace: 1_000 });
  const aborted: string[] = [];
  /** Starts a task that runs until it is ended, even if aborted. */
  function start(name: string, megabytes: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const result = watchdog.guard(megabytes * MB, NEVER, (signal) => {
      signal.addEventListener('abort', () => aborted.push(name));
      return promise;
    });
    return {
      result,
      async end() {
        resolve();
        await result;
      },
    };
  }
  function look(megabytes: number, now = state.now): string[] {
    Object.assign(state, { rss: megabytes * MB, now });
    watchdog.check();
    return aborted.splice(0);
  }
  return { start, look };
}

test('MemoryWatchdog: a task may add its allowance and no byte more', () => {
  const { start, look } = manualWatchdog();
  start('pdf', 500);
  assert.deepEqual(look(600), []);
  assert.deepEqual(look(601), ['pdf']);
});

test('MemoryWatchdog: tasks within the sum of their allowances are not aborted', () => {
  const { start, look } = manualWatchdog();
  start('pdf', 500);
  start('csv', 50);
  assert.deepEqual(look(650), []);
});

test('MemoryWatchdog: the last of the largest is aborted first, then the next', () => {
  const { start, look } = manualWatchdog();
  for (const [name, size] of [
    ['one', 500],
    ['two', 500],
    ['csv', 50],
  ] as const)
    start(name, size);
  assert.deepEqual(look(1_200), ['two']);
  assert.deepEqual(look(1_300, 999), []);
  assert.deepEqual(look(1_300, 1_000), ['one']);
  assert.deepEqual(look(1_300, 2_000), ['csv']);
  assert.deepEqual(look(1_300, 3_000), []);
});

test("MemoryWatchdog: memory of ended tasks may be freed late at no other task's cost", async () => {
  const { start, look } = manualWatchdog();
  const ended = start('ended', 500);
  start('other', 500);
  assert.deepEqual(look(1_000), []);
  await ended.end();
  assert.deepEqual(look(1_000, 999), []);
  assert.deepEqual(look(1_000, 1_000), ['other']);
});

test('MemoryWatchdog: only one ended task counts, so that a leak is found', async () => {
  const { start, look } = manualWatchdog();
  start('leak', 500);
  for (let slice = 0; slice < 20; slice += 1) await start('slice', 50).end();
  assert.deepEqual(look(651), ['leak']);
});

test('MemoryWatchdog: random tasks within their allowances are never aborted', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1 }), fc.nat(100), (allowances, percent) => {
      const { start, look } = manualWatchdog();
      for (const [index, allowance] of allowances.entries()) start(`${index}`, allowance);
      const together = allowances.reduce((sum, allowance) => sum + allowance);
      assert.deepEqual(look(100 + (together * percent) / 100), []);
      assert.equal(look(101 + together).length, 1);
    }),
  );
});

test('MemoryWatchdog: an aborted task rejects with the memory error, not its own', async () => {
  const watchdog = new MemoryWatchdog({ rss: () => rss, every: 1 });
  let rss = 0;
  const result = watchdog.guard(500 * MB, NEVER, async (signal) => {
    rss = 501 * MB;
    await sleep(1_000, undefined, { signal });
  });
  await assert.rejects(result, (error) => {
    assert.ok(error instanceof UnreadableDocument);
    assert.match(error.message, /needs more than 500 MB of memory to be read\. Split it/);
    return true;
  });
});

test("MemoryWatchdog: results, errors and the caller's abort pass through", async () => {
  const watchdog = new MemoryWatchdog();
  assert.equal(await watchdog.guard(MB * 1e6, NEVER, async () => 7), 7);
  await assert.rejects(
    watchdog.guard(MB * 1e6, NEVER, () => Promise.reject(new Error('its own'))),
    /its own/,
  );
  const controller = new AbortController();
  const left = watchdog.guard(MB * 1e6, controller.signal, (signal) => sleep(10_000, undefined, { signal }));
  controller.abort();
  await assert.rejects(left, { name: 'AbortError' });
  await assert.rejects(
    watchdog.guard(MB, controller.signal, async () => 7),
    { name: 'AbortError' },
  );
});

test('MemoryWatchdog: a thread that fills buffers outside of its heap is ended', { timeout: 20_000 }, async () => {
  const before = process.memoryUsage.rss();
  let peak = 0;
  const watchdog = new MemoryWatchdog({
    every: 10,
    rss: () => {
      const rss = process.memoryUsage.rss();
      peak = Math.max(peak, rss);
      return rss;
    },
  });
  const result = watchdog.guard(150 * MB, NEVER, async (signal) => {
    const filling = 'const all = []; setInterval(() => all.push(Buffer.alloc(4_000_000, 1)), 5);';
    const worker = new Worker(filling, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } });
    signal.addEventListener('abort', () => void worker.terminate());
    await new Promise((_, reject) => worker.once('exit', () => reject(new Error('the thread has ended'))));
  });
  await assert.rejects(result, /needs more than 150 MB/);
  assert.ok(peak - before < 300 * MB, `${(peak - before) / MB} MB`);
});

const ROWS = Array.from({ length: 4_000 }, (_, index) => [`code ${index}`, `meaning number ${index}`]);
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const row = (cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
const tableOf = (...rows: string[][]) => `<w:tbl>${rows.map(row).join('')}</w:tbl>`;

const FILES: [format: 'md' | 'txt' | 'docx', content: string | Buffer][] = [
  ['md', `# All\n\ncode | meaning\n--- | ---\n${ROWS.map((cells) => cells.join(' | ')).join('\n')}\n\nEnd.`],
  ['txt', `code | meaning\n--- | ---\n${ROWS.map((cells) => cells.join(' | ')).join('\n')}`],
  ['docx', docxOf(`${paragraph('All', 'Heading1')}${tableOf(['code', 'meaning'], ...ROWS)}${paragraph('End.')}`)],
];

for (const [format, content] of FILES) {
  test(`readSlice(): a table of ${format} that goes on in the next section keeps its header`, async (t) => {
    const options = optionsFor(format);
    const prepared = await prepare(fileOf(t, content), options);
    const chunks: Chunk[] = [];
    for (let from: unknown = null, slices = 0; from !== null || slices === 0; slices += 1) {
      const slice = await readSlice(prepared, from, options, 1);
      chunks.push(...slice.chunks);
      from = JSON.parse(JSON.stringify(slice.next));
    }
    for (const { text } of chunks) {
      if (text.includes('code 1')) assert.match(text, /^code \| meaning\n--- \| ---\ncode \d+ \| meaning number \d+\n/);
    }
    const found = chunks.map(({ text }) => text).join('\n');
    for (const cells of ROWS) assert.ok(found.includes(cells.join(' | ')), cells.join());
  });
}

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
