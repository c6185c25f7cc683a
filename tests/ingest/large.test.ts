import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { CHUNK_TOKENS, estimatedTokens } from '../../src/core/knowledge/chunking.ts';
import type { Chunk, DocumentFormat } from '../../src/core/knowledge/reader.ts';
import { WorkerPool } from '../../src/workers/pool.ts';
import { temporaryDirectory } from '../support/app.ts';
import type { Outcome } from '../support/golden-folder.ts';
import { rareTest } from '../support/rare.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { NO_HYGIENE } from '../support/upload-file.ts';
import { makeZip } from '../support/zip.ts';
import { lineOfText, pdfOfPages, stream } from '../workers/formats/make-pdf.ts';
import { read } from './reading.ts';

const MEGABYTE = 1024 * 1024;

const wholeFile = scopeOfThisFile();
const folder = temporaryDirectory(wholeFile);
/** A single thread, so that the document after a bomb is read in the same one. */
const pool = new WorkerPool({ threads: 1 });
wholeFile.after(() => pool.close());

async function outcomeOf(format: DocumentFormat, content: string | Buffer): Promise<Outcome> {
  const path = join(folder, `upload.${format}`);
  writeFileSync(path, content);
  return read(pool, path, { format, hygiene: NO_HYGIENE });
}

async function chunksOf(format: DocumentFormat, content: string | Buffer): Promise<Chunk[]> {
  const outcome = await outcomeOf(format, content);
  assert.ok(Array.isArray(outcome), JSON.stringify(outcome));
  return outcome;
}

async function errorOf(format: DocumentFormat, content: string | Buffer): Promise<string> {
  const outcome = await outcomeOf(format, content);
  assert.ok(!Array.isArray(outcome), 'it was read');
  return outcome.error;
}

rareTest('chunking: 3 MB without a space are cut in time without loss', async () => {
  for (const letters of ['x', '語', '🙂']) {
    const text = letters.repeat((3 * MEGABYTE) / Buffer.byteLength(letters));
    const began = performance.now();
    const chunks = await chunksOf('txt', text);
    assert.ok(performance.now() - began < 10_000);
    const counted = chunks.map(({ text: part }) => [...part].length).reduce((sum, count) => sum + count);
    assert.ok(counted >= [...text].length, 'chunks overlap, and leave nothing out');
    for (const { text: part } of chunks) {
      assert.ok(estimatedTokens(part) <= CHUNK_TOKENS);
      assert.ok(part.isWellFormed() && !part.includes('\ufffd'));
    }
  }
});

test('chunking: 20 KB of one letter give as many chunks as their length requires', async () => {
  const chunks = await chunksOf('txt', 'a'.repeat(20_000));
  assert.deepEqual(
    chunks.map(({ text }) => text.length),
    [...Array.from({ length: 11 }, () => 2_048), 20_000 - 11 * (2_048 - 256)],
  );
});

rareTest('JSON: a string of 100 MB is refused by its length, also within an array', async () => {
  const long = Buffer.alloc(100 * MEGABYTE, 'x');
  long[0] = 0x22;
  long[long.length - 1] = 0x22;
  assert.match(await errorOf('json', long), /^Value 1, which begins in line 1, is longer than 16 MB\. Send an array/);
  const array = Buffer.concat([Buffer.from('[1,\n'), long.subarray(0, 2 * MEGABYTE)]);
  assert.match(await errorOf('json', array), /^Element 2, which begins in line 2, is longer than 1 MB\. Split it/);
});

test('CSV: a quote open for 10 MB is reported with its line', async () => {
  const open = Buffer.concat([Buffer.from('id,text\n1,fine\n2,"open'), Buffer.alloc(10 * MEGABYTE, ',x\n')]);
  assert.match(await errorOf('csv', open), /^The quote opened in line 3 is not closed/);
});

rareTest('PDF: 2,000 pages are read in slices, each once with its number', async () => {
  const pages = Array.from({ length: 2_000 }, (_, index) => lineOfText(`This is page ${index + 1}.`));
  const chunks = await chunksOf('pdf', pdfOfPages(pages));
  assert.equal(chunks.length, 2_000);
  for (const [index, { text, place }] of chunks.entries()) {
    assert.deepEqual([text, place], [`This is page ${index + 1}.`, { page: index + 1 }]);
  }
});

rareTest('WorkerPool: bombs and archives of too many parts are refused; the thread goes on', async () => {
  const bomb = makeZip([{ name: 'word/document.xml', content: Buffer.alloc(60_000_000, ' ') }]);
  assert.match(await errorOf('docx', bomb), /more than 150 times its size/);
  const parts = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, content: '' }));
  assert.match(await errorOf('docx', makeZip(parts)), /more than 10000 parts/);
  const drawn = deflateSync(deflateSync(Buffer.from('0 0 m 1 1 l S q\n'.repeat(6_000_000))));
  const drawing = pdfOfPages([lineOfText('before'), stream('/Filter [/FlateDecode /FlateDecode]', drawn)]);
  assert.match(await errorOf('pdf', drawing), /^(Page 2 of the PDF|The document) needs more than \d+ MB of memory/);
  assert.equal((await chunksOf('pdf', pdfOfPages([lineOfText('after')])))[0]!.text, 'after');
});
