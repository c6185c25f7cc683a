import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHUNK_TOKENS, estimatedTokens } from '../../src/core/knowledge/chunking.ts';
import { type Chunk, FORMATS, type ReadOptions } from '../../src/core/knowledge/reader.ts';
import { WorkerPool } from '../../src/workers/pool.ts';
import { temporaryDirectory } from '../support/app.ts';
import { goldenCases, goldenFolder, type Outcome } from '../support/golden-folder.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { NO_HYGIENE } from '../support/upload-file.ts';
import { read } from './reading.ts';

/** No file here is larger than some hundred KB. */
const IN_TIME_MS = 20_000;

const place = fc.nat(1_000_000);
/** Bytes to insert: meaningful in some format, or random. */
const inserted = fc.oneof(
  fc.constantFrom(
    '"',
    ',',
    ';',
    '\r',
    '\n',
    '\0',
    '[',
    '{',
    '}',
    ']',
    '\\',
    '<',
    '>',
    '&',
    '#',
    '```',
    '---\n',
    '%',
    '\ufeff',
  ),
  fc.constantFrom(
    '\xff\xfe',
    '\x1b$B',
    'PK\x03\x04',
    'endobj',
    'stream\n',
    '\\ud83d',
    '<!--',
    '&#x110000;',
    '](http://',
    '1e999',
  ),
  fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

type Mutation = (content: Buffer) => Buffer;
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, place).map(
    ([from, to]): Mutation =>
      (content) => {
        const [first, last] = [
          Math.min(at(content, from), at(content, to)),
          Math.max(at(content, from), at(content, to)),
        ];
        return Buffer.concat([content.subarray(0, first), content.subarray(last)]);
      },
  ),
  place.map(
    (from): Mutation =>
      (content) =>
        content.subarray(0, at(content, from)),
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(
    ([where, bits]): Mutation =>
      (content) => {
        const flipped = Buffer.from(content);
        if (flipped.length > 0) flipped[at(content, where)]! ^= bits;
        return flipped;
      },
  ),
  fc.tuple(place, place, place, fc.integer({ min: 1, max: 20 })).map(
    ([from, length, to, times]): Mutation =>
      (content) => {
        const piece = content.subarray(at(content, from), at(content, from) + Math.min(at(content, length), 2_000));
        return spliced(content, at(content, to), Buffer.concat(Array.from({ length: times }, () => piece)));
      },
  ),
  fc.tuple(place, inserted, fc.constantFrom(1, 1, 1, 2, 1_000, 20_000)).map(
    ([where, text, times]): Mutation =>
      (content) =>
        spliced(content, at(content, where), Buffer.from(text.repeat(times), 'latin1')),
  ),
);

function at(content: Buffer, millionths: number): number {
  return Math.min(Math.floor((millionths / 1_000_000) * content.length), Math.max(0, content.length - 1));
}

function spliced(content: Buffer, where: number, piece: Buffer): Buffer {
  return Buffer.concat([content.subarray(0, where), piece, content.subarray(where)]);
}

const CASES = goldenCases().map((one) => ({ ...one, content: readFileSync(join(goldenFolder, one.file)) }));
const mutated = fc
  .tuple(fc.constantFrom(...CASES), fc.array(mutation, { minLength: 1, maxLength: 5 }))
  .map(([{ name, options, content }, mutations]) => ({
    name,
    options,
    content: mutations.reduce<Buffer>((changed, mutate) => mutate(changed), content),
  }));
const random = fc.record({
  name: fc.constant('random bytes'),
  options: fc.constantFrom(...FORMATS).map((format): ReadOptions => ({ format, hygiene: NO_HYGIENE })),
  content: fc.oneof(
    fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom('%PDF-1.7\n', 'PK\x03\x04', '[', '{', '\xff\xfe', '"'), fc.uint8Array({ maxLength: 500 }))
      .map(([begin, bytes]) => Buffer.concat([Buffer.from(begin, 'latin1'), bytes])),
    fc.string({ unit: 'binary', maxLength: 2_000 }).map((text) => Buffer.from(text)),
  ),
});
const hygiene = fc.record({
  stripHtml: fc.boolean(),
  removeUrls: fc.boolean(),
  dropEmptyValues: fc.boolean(),
  normalizeWhitespace: fc.boolean(),
  dedupeUnits: fc.constant(false),
});
const upload = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: mutated }, { weight: 1, arbitrary: random }),
    fc.option(hygiene, { nil: null }),
  )
  .map(([one, cleaning]) => (cleaning ? { ...one, options: { ...one.options, hygiene: cleaning } } : one));

/** Reads damaged files in a worker pool until the runs or the time are used up. */
export function testDamagedFiles(parameters: fc.Parameters<unknown>): void {
  const wholeFile = scopeOfThisFile();
  const folder = temporaryDirectory(wholeFile);
  const pool = new WorkerPool({ threads: 1 });
  wholeFile.after(() => pool.close());

  test('Ingestion fuzz: any bytes give chunks or an explained error in time', async () => {
    const path = join(folder, 'upload');
    const property = fc.asyncProperty(upload, async ({ options, content }) => {
      writeFileSync(path, content);
      const outcome = await read(pool, path, options, AbortSignal.timeout(IN_TIME_MS));
      assertUnderstandable(outcome, options);
    });
    await fc.assert(property, parameters);
  });
}

function assertUnderstandable(outcome: Outcome, options: ReadOptions): void {
  if (Array.isArray(outcome)) {
    for (const chunk of outcome) assertUsable(chunk);
    return;
  }
  const { error } = outcome;
  assert.match(error, /^\p{Lu}|^csv(Content|Metadata)Columns |^.* in the DOCX /u, error);
  assert.match(error, /\.$/, error);
  assert.ok(error.split(/[.:] /).length >= 2, `says what to do: ${error}`);
  assert.ok(error.length >= 30 && error.length <= 3_000, error);
  assert.doesNotMatch(
    error,
    /undefined|\[object|NaN\b.*line NaN|Error:|ENOENT|EINVAL|is not a function|\/upload/,
    error,
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in it
  assert.doesNotMatch(error, /[\0-\x1f\x7f]/, error);
  if (options.format !== 'pdf') assert.doesNotMatch(error, /MB of memory|longer than \d+ seconds/, error);
}

function assertUsable({ text, headings, place: { page, row, line } }: Chunk): void {
  assert.ok(text.trim() === text && text !== '', 'it says something');
  assert.ok(estimatedTokens(text) <= CHUNK_TOKENS, 'it is no longer than a chunk');
  for (const one of [text, ...headings]) assert.ok(one.isWellFormed() && !one.includes('\0'), JSON.stringify(one));
  for (const number of [page, row, line])
    assert.ok(number === undefined || (Number.isSafeInteger(number) && number > 0));
}
