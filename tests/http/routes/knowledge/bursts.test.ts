import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory, testApp } from '../../../support/app.ts';
import { accepted, type Desk, ended, INGEST, search } from '../../../support/knowledge.ts';
import { eventually } from '../../../support/process.ts';
import { rareTest } from '../../../support/rare.ts';
import { newDesk, sharedApp } from './support.ts';

const FILES = 200;
const text = (number: number) => ({ name: `${number}.txt`, content: `pump number ${number}` });

/** Each file has one passage with the word. */
async function untilSearchable(desk: Desk, jobIds: string[], timeoutMs: number) {
  await ended(desk, jobIds.at(-1)!, timeoutMs);
  const allAreFound = async () => (await search(desk, 'manuals', 'pump')).total === jobIds.length;
  await eventually('every file is found', allAreFound, timeoutMs);
}

rareTest('POST /vectors ingest: 200 files at once by one client are taken and searchable', async () => {
  const desk = await newDesk(await sharedApp());
  const jobIds = await Promise.all(Array.from({ length: FILES }, (_, number) => accepted(desk, text(number))));
  assert.equal(new Set(jobIds).size, FILES);
  await untilSearchable(desk, jobIds, 60_000);
});

rareTest(
  'POST /vectors ingest: ten files of 30 MB by fetch and 200 by curl are all taken',
  { timeout: 600_000 },
  async (t) => {
    const app = await testApp(t, { rateLimit: 0 });
    const line = `${'the quick brown fox jumps over the lazy dog '.repeat(20)}\n`;
    const padding = Buffer.alloc(30 * 1024 * 1024, line);
    const large = Array.from({ length: 10 }, (_, number) => ({
      name: `large ${number}.txt`,
      content: Buffer.concat([Buffer.from(`pump number ${number}\n\n`), padding]),
    }));
    const [ofFetch, ofCurl] = await Promise.all([
      Promise.all(large.map((file) => accepted(app, file))),
      sentByCurl(t, app),
    ]);
    t.diagnostic(`${ofFetch.length} large files and ${ofCurl.length} small ones: every one 202`);
    await untilSearchable(app, [...ofFetch, ...ofCurl], 500_000);
    t.diagnostic('every one is found');
  },
);

/** The jobs of 200 files, by fifty processes at a time. */
async function sentByCurl(t: TestContext, { url, key }: Desk): Promise<string[]> {
  const place = join(temporaryDirectory(t), 'files');
  mkdirSync(place);
  const names = Array.from({ length: FILES }, (_, number) => `${number}.txt`);
  for (const [number, name] of names.entries()) writeFileSync(join(place, name), text(number).content);
  const request = `-H "x-api-key: ${key}" -F vectorStore=manuals -F file=@{} ${url}${INGEST}`;
  const curl = `curl -s -o {}.answer -w "%{http_code}\\n" ${request}`;
  const command = `printf '%s\\n' ${names.join(' ')} | xargs -P 50 -I{} sh -c '${curl}'`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: place });
  assert.deepEqual([...new Set(stdout.trim().split('\n'))], ['202'], stdout);
  return names.map((name) => JSON.parse(readFileSync(join(place, `${name}.answer`), 'utf8')).jobId);
}
