import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import type { Scope } from '../../src/core/base/shared/caller.ts';
import { type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { VECTORS } from '../support/knowledge.ts';
import { BIN, cleanEnvironment, eventually, freePort, startProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand, runJson } from '../support/shell.ts';

const FAQ = `# Refunds

## How long

A refund takes five working days.

## Who

Anybody who has paid with a card.
`;
const PRICES = 'sku;name;text\n17;Lamp;Bright and warm.\n18;Chair;Comfortable.\n';

function desk(t: TestContext) {
  const place = temporaryDirectory(t);
  writeFileSync(join(place, 'faq.md'), FAQ);
  writeFileSync(join(place, 'prices.csv'), PRICES);
  writeFileSync(join(place, 'broken.json'), '[{"a": 1},\n {"a": }]');
  return {
    place,
    run: (...args: string[]) => runCommand(args, { cwd: place }),
  };
}

async function deskAt(t: TestContext, settings: ConfigInput = {}, scopes: (Scope | '*')[] = ['*']) {
  const app = await testApp(t, settings);
  const at = desk(t);
  const config = { url: app.url, apiKey: await app.newKey({ scopes }) };
  writeFileSync(join(at.place, 'agent-runtime.config.json'), JSON.stringify(config));
  return { ...at, app };
}

test('ingest: files are ingested in order and found with their sources', async (t) => {
  const { run } = await deskAt(t);
  const said = await run('ingest', 'faq.md', 'prices.csv', '--store', 'help');
  assert.equal(said.code, 0, said.stderr);
  assert.match(
    said.stdout,
    /^faq\.md: 2 chunks, document [-0-9a-f]{36}\nprices\.csv: 2 chunks, document [-0-9a-f]{36}\n2 completed\n$/,
  );
  assert.equal(said.stderr, '', 'no bar where there is no terminal');

  const found = await run('search', 'how', 'long', 'is', 'a', 'refund', '--store', 'help', '--limit', '1');
  assert.equal(found.code, 0, found.stderr);
  assert.match(
    found.stdout,
    /^1\. faq\.md, Refunds > How long, line 5\n {3}A refund takes five working days\.\n\n1 of \d+ passages?, lexical search\.\n/,
  );
  const row = await run('search', 'bright', '--store', 'help');
  assert.match(
    row.stdout,
    /^1\. prices\.csv, row 1\n {3}sku: 17\n {3}name: Lamp\n {3}text: Bright and warm\.\n\n1 of 1 passage,/,
  );
  assert.match((await run('search', 'zeppelin', '--store', 'help')).stdout, /^Nothing was found\./);
});

test('ingest: every option is sent as its field', async (t) => {
  const { run, app, place } = await deskAt(t);
  writeFileSync(
    join(place, 'rows.csv'),
    'id|note|lang\n1|<b>Ask</b>  us: http://a.example/|en\n2|N/A|en\n3|<i>Ask</i> us:|pt\n',
  );
  const hygiene = ['--strip-html', '--remove-urls', '--drop-empty-values', '--normalize-whitespace', '--dedupe'];
  const columns = ['--csv-content-columns', 'note', '--csv-metadata-columns', 'id,lang', '--csv-delimiter', '|'];
  const described = ['--metadata', '{"team": "sales"}', '--source-id', 'rows'];
  const args = ['ingest', 'rows.csv', '--store', 'rows', ...hygiene, ...columns, ...described, '--json'];
  const { code, stdout, stderr } = await run(...args);
  assert.equal(code, 0, stderr);
  const { ok, vectorStore, files } = JSON.parse(stdout);
  assert.deepEqual([ok, vectorStore, files.length], [true, 'rows', 1]);
  const [{ jobId, documentId, ...file }] = files;
  assert.deepEqual(file, { file: 'rows.csv', status: 'completed', chunks: 1, error: null });
  assert.ok(jobId && documentId);

  const { body } = await app.request('POST', `${VECTORS}/stores/rows/search`, { query: 'ask' });
  assert.deepEqual(
    body.results.map(({ text, metadata }: { text: string; metadata: object }) => ({ text, metadata })),
    [{ text: 'Ask us:', metadata: { team: 'sales', sourceId: 'rows', id: '1', lang: 'en' } }],
  );

  assert.equal((await run(...args.slice(0, 4), '--source-id', 'rows')).code, 0);
  const { body: documents } = await app.request('GET', `${VECTORS}/stores/rows/documents`);
  assert.equal(documents.total, 1, 'the same --source-id replaces');
  const filtered = await run('search', 'ask', '--store', 'rows', '--filter', '{"team": "sales"}', '--json');
  assert.equal(JSON.parse(filtered.stdout).total, 0);
});

rareTest('ingest: a failed or refused file does not stop the next ones; exit code 1', async (t) => {
  const { run, place } = await deskAt(t, { uploadLimit: 0.001 });
  writeFileSync(join(place, 'long.txt'), 'word '.repeat(1_000));
  const args = ['ingest', 'broken.json', 'long.txt', 'faq.md', '--store', 'help'];
  const said = await run(...args);
  assert.equal(said.code, 1);
  const [broken, long, faq] = said.stdout.split('\n');
  assert.match(broken ?? '', /^broken\.json: FAILED \(job [-0-9a-f]{36}\): Element 2 in line 2 is not valid JSON/);
  assert.match(long ?? '', /^long\.txt: REFUSED: file: exceeds the limit of 1048 bytes\./);
  assert.match(long ?? '', /AGENT_RUNTIME_UPLOAD_LIMIT/);
  assert.match(faq ?? '', /^faq\.md: 2 chunks/);

  const { code, stdout } = await run(...args, '--json');
  const { ok, files } = JSON.parse(stdout);
  assert.deepEqual([code, ok], [1, false]);
  assert.deepEqual(
    files.map(({ status }: { status: string }) => status),
    ['failed', 'refused', 'completed'],
  );
});

rareTest('ingest: a directory is sent with all below it; what is skipped is listed', async (t) => {
  const { run, place, app } = await deskAt(t);
  const deep = join(place, 'docs', 'deep', 'er');
  for (const directory of [deep, join(place, 'docs', '.git')]) mkdirSync(directory, { recursive: true });
  const names = Array.from({ length: 30 }, (_, number) => `${String(number).padStart(2, '0')}.md`);
  for (const name of names) writeFileSync(join(deep, name), `passage ${name}`);
  writeFileSync(join(place, 'docs', 'a.csv'), PRICES);
  writeFileSync(join(place, 'docs', 'b.exe'), 'MZ');
  writeFileSync(join(place, 'docs', 'c.txt'), '');
  writeFileSync(join(place, 'docs', '.git', 'config.txt'), 'hidden');
  symlinkSync('nowhere.txt', join(place, 'docs', 'd.txt'));
  symlinkSync('.', join(place, 'docs', 'e.txt'));
  const args = ['ingest', 'faq.md', 'docs', '--csv-delimiter', ';', '--store', 'help'];
  const { code, stdout, stderr } = await run(...args, '--json');
  assert.equal(code, 0, stderr);
  const { ok, files } = JSON.parse(stdout);
  assert.equal(ok, true);
  const skipped = [
    ['docs/.git', 'is hidden'],
    ['docs/b.exe', 'has no extension that can be read'],
    ['docs/c.txt', 'is empty'],
    ['docs/d.txt', 'is a link that leads nowhere'],
    ['docs/e.txt', 'is a link to no file'],
  ];
  type File = { file: string; status: string; error: string; notes?: string[] };
  assert.deepEqual(
    files.filter(({ status }: File) => status === 'skipped').map(({ file, error }: File) => [file, error]),
    skipped,
  );
  const completed = files.filter(({ status }: File) => status === 'completed').map(({ file }: File) => file);
  assert.deepEqual(completed, ['faq.md', 'docs/a.csv', ...names.map((name) => `docs/deep/er/${name}`)]);
  assert.deepEqual(files[0].notes, ['csvDelimiter: is for CSV files alone and was ignored']);
  const { body } = await app.request('GET', `${VECTORS}/stores/help/documents`);
  assert.equal(body.total, completed.length);

  writeFileSync(join(place, 'docs', 'z.json'), '[');
  const again = await run(...args);
  assert.equal(again.code, 1, 'one has failed');
  const lines = again.stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^faq\.md: 2 chunks, document [-0-9a-f]{36} \(csvDelimiter: is for CSV files alone/);
  assert.equal(lines[1], 'docs/.git: skipped, it is hidden');
  assert.match(lines.at(-2) ?? '', /^docs\/z\.json: FAILED \(job [-0-9a-f]{36}\): /);
  assert.equal(lines.at(-1), '32 completed, 5 skipped, 1 failed');
});

const WRONG: [string, string[], RegExp][] = [
  ['no such file', ['nope.md'], /^error: There is no file nope\.md\.\n$/],
  ['a folder without files', ['empty'], /^error: There is nothing to ingest in empty\. Files that can be read are pdf/],
  ['an empty file', ['empty.txt'], /^error: empty\.txt is empty\.\n$/],
  [
    'an unknown extension',
    ['faq.md', 'faq.rtf'],
    /^error: faq\.rtf has no extension that can be read\. Files are pdf, docx/,
  ],
  ['a bad store', ['faq.md', '--store', 'a b'], /^error: --store: must be 1-100 letters/],
  ['bad metadata', ['faq.md', '--metadata', '{lang: en}'], /^error: --metadata: is not valid JSON; send an object/],
  ['a list as metadata', ['faq.md', '--metadata', '[1]'], /^error: --metadata: must be an object\n$/],
  ['a long source id', ['faq.md', '--source-id', 'x'.repeat(201)], /^error: --source-id: must be a text of 1-200/],
  ['a bad delimiter', ['prices.csv', '--csv-delimiter', ';;'], /^error: --csv-delimiter: must be one character/],
  ['one source id for two', ['faq.md', 'prices.csv', '--source-id', 'x'], /^error: --source-id: names one document/],
];

test('ingest: invalid arguments are refused before anything is sent', async (t) => {
  const { run, place } = desk(t);
  writeFileSync(join(place, 'empty.txt'), '');
  writeFileSync(join(place, 'faq.rtf'), '{\\rtf1}');
  mkdirSync(join(place, 'empty'));
  for (const [what, args, message] of WRONG) {
    const { code, stdout, stderr } = await run('ingest', '--store', 'help', '--url', 'http://127.0.0.1:9', ...args);
    assert.deepEqual([code, stdout], [1, ''], what);
    assert.match(stderr, message, what);
  }
  const { code, stderr } = await run('search', 'x', '--store', 'help', '--filter', '{');
  assert.equal(code, 1);
  assert.match(stderr, /^error: --filter: is not JSON/);
});

test('ingest: an unreachable server or missing key is reported with the remedy', async (t) => {
  const { run, place } = await deskAt(t, {}, ['knowledge:read']);
  const ingest = () => run('ingest', 'faq.md', '--store', 'help');
  assert.match((await ingest()).stderr, /lacks the scope knowledge:write[\s\S]*a key with the scopes knowledge:write/);
  const unknown = await run('search', 'x', '--store', 'help');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^error: There is no vector store "help"\. There is none yet\.\n$/);

  const configure = (config: object) => writeFileSync(join(place, 'agent-runtime.config.json'), JSON.stringify(config));
  const port = await freePort();
  configure({ url: `http://127.0.0.1:${port}` });
  assert.match(
    (await ingest()).stderr,
    /^error: Set AGENT_RUNTIME_API_KEY to a key with the scope knowledge:write and/,
  );
  configure({ url: `http://127.0.0.1:${port}`, apiKey: 'ar_x' });
  const { code, stdout, stderr } = await ingest();
  assert.deepEqual([code, stdout], [1, 'faq.md: not sent; nothing of it is stored\n']);
  assert.match(
    stderr,
    /^error: http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED.* Is the server running there\?\n$/,
  );
});

test('ingest: a wrong key is reported while a large file is still being sent', async (t) => {
  const { run, place } = await deskAt(t, {}, ['events:read']);
  writeFileSync(join(place, 'large.txt'), Buffer.alloc(40 * 1024 * 1024, 'word '));
  const { code, stderr } = await run('ingest', 'large.txt', '--store', 'help');
  assert.equal(code, 1);
  assert.match(stderr, /lacks the scope knowledge:write/);
});

rareTest('ingest: without --url it works on the data directory, alone or through its owner', async (t) => {
  const { run, place } = desk(t);
  const dataDir = join(place, 'data');
  const there = ['--data-dir', dataDir];
  const alone = await run('ingest', 'faq.md', '--store', 'help', ...there);
  assert.equal(alone.code, 0, alone.stderr);
  assert.match(alone.stderr, /a new, empty workspace is made there/);
  assert.match((await run('search', 'refund', '--store', 'help', ...there)).stdout, /^1\. faq\.md/);

  const app = await testApp(t, { dataDir });
  assert.equal((await app.request('GET', `${VECTORS}/stores`)).body.stores[0].documents, 1);
  const keys = await runJson(dataDir, 'keys', 'list');
  const used = JSON.stringify(keys);
  assert.doesNotMatch(used, /"label":"ingest"[^}]*"revokedAt":null/, 'its key is of no use any more');
});

test('ingest --no-wait: the file is ingested after the command ends', async (t) => {
  const { run, app } = await deskAt(t);
  const { code, stdout } = await run('ingest', 'faq.md', '--store', 'help', '--no-wait');
  assert.equal(code, 0);
  const [, jobId] = /^faq\.md: stored, and waits to be ingested as job ([-0-9a-f]{36})\n$/.exec(stdout) ?? [];
  await eventually(
    'the job ends',
    async () => (await app.request('GET', `${VECTORS}/ingestion-jobs/${jobId}`)).body.status === 'completed',
    20_000,
  );
});

rareTest('ingest: Ctrl-C ends only the watching, and says how to continue', async (t) => {
  const embeddingUrl = await silentServer(t);
  const { place, app, run } = await deskAt(t, { embedder: 'compatible/none', embeddingUrl });
  const program = startProgram(t, ['ingest', 'faq.md', '--store', 'help'], { cwd: place });
  const job = await eventually('the job begins', () => runningJob(app), 20_000);
  const { code, stdout, stderr } = await program.end('SIGINT');
  assert.equal(code, 130, stderr);
  const { jobId } = job.found;
  assert.equal(stdout, `faq.md: not ingested yet, job ${jobId}\n`);
  assert.ok(stderr.includes('To watch it again, run the same command.'), stderr);
  const address = `${app.url}${VECTORS}/ingestion-jobs/${jobId}`;
  assert.ok(stderr.includes(`To cancel it, POST ${address}/cancel`), stderr);
  assert.equal((await runningJob(app))?.jobId, jobId);

  const again = await run('ingest', 'faq.md', '--store', 'help', '--no-wait', '--json');
  assert.equal(JSON.parse(again.stdout).files[0].jobId, jobId, 'the same command finds the same job');
});

/** The job that is worked on, of the store `help`. */
async function runningJob(app: TestApp): Promise<{ jobId: string } | null> {
  const { status, body } = await app.request('GET', `${VECTORS}/stores/help/ingestion-jobs?status=processing`);
  return status === 200 ? (body.jobs[0] ?? null) : null;
}

/** Takes requests and answers none. */
async function silentServer(t: TestContext): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const SCRIPT = 'script';
const noTerminal =
  spawnSync(SCRIPT, ['-qec', 'true', '/dev/null']).status === 0 ? false : 'needs script(1) of util-linux';

rareTest(
  'ingest: a terminal shows one bar, half for sending and half for ingestion',
  { skip: noTerminal },
  async (t) => {
    const { place } = await deskAt(t);
    const command = `'${process.execPath}' '${BIN}' ingest faq.md --store help`;
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      cwd: place,
      env: cleanEnvironment({ TERM: 'xterm' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, shown);
    const bars: string[] =
      shown.match(/\d+% \| (sending faq\.md, \d+ bytes|ingesting faq\.md, \d+ of \d+ chunks)/g) ?? [];
    // The bar is drawn a few times a second: a small file may be sent and ingested in between.
    assert.ok(bars.length > 0 && bars.every((bar) => /^(50|100)% /.test(bar)), shown);
    assert.equal(bars.at(-1), '100% | ingesting faq.md, 2 of 2 chunks');
    assert.match(shown, /faq\.md: 2 chunks, document/);
  },
);
