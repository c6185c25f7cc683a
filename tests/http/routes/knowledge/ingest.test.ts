import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Scope } from '../../../../src/core/base/shared/caller.ts';
import { skipOnServers, testApp } from '../../../support/app.ts';
import {
  ask,
  type Desk,
  ended,
  INGEST,
  ingested,
  JOBS,
  search,
  send,
  storePath,
  VECTORS,
} from '../../../support/knowledge.ts';
import { docxOf, paragraph } from '../../../workers/formats/make-docx.ts';
import { lineOfText, pdfOfPages } from '../../../workers/formats/make-pdf.ts';
import { heldApp, newDesk, sharedApp } from './support.ts';

const CSV = { name: 'prices.csv', content: 'sku,name,price\nA1,red pump,10\nB2,blue valve,N/A\nA1,red pump,10\n' };

test('POST /vectors ingest: a file is accepted with its job and soon searchable', async () => {
  const desk = await newDesk();
  const { status, body } = await send(desk, CSV);
  assert.equal(status, 202);
  const { jobId } = body;
  assert.deepEqual(body, {
    ...{ success: true, jobId, status: 'queued', statusUrl: `/runtime/v1/vectors/ingestion-jobs/${jobId}` },
    ...{ vectorStore: 'manuals', message: 'prices.csv is stored and waits to be ingested.' },
  });
  const job = await ended(desk, jobId);
  const { createdAt, startedAt, completedAt, documentId, ...rest } = job;
  assert.deepEqual(rest, {
    ...{ jobId, status: 'completed', originalName: 'prices.csv', totalChunks: 3, processedChunks: 3, progress: 1 },
    ...{ error: null, notes: [] },
  });
  for (const time of [createdAt, startedAt, completedAt])
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(createdAt <= startedAt && startedAt <= completedAt);
  const { results } = await search(desk, 'manuals', 'valve');
  assert.deepEqual(results, [
    {
      ...{ documentId, chunkIndex: 1, text: 'sku: B2\nname: blue valve\nprice: N/A', score: results[0].score },
      ...{ metadata: {}, source: { name: 'prices.csv', row: 2, line: 3 } },
    },
  ]);
});

test('POST /vectors ingest: every field has its effect', async () => {
  const desk = await newDesk();
  const fields = {
    ...{ vectorStore: 'Own.store_1-x', metadata: '{"lang":"en","sourceId":"prices"}', csvDelimiter: 'semicolon' },
    ...{
      csvContentColumns: ' name , note',
      csvMetadataColumns: 'sku',
      hygieneStripHtml: 'TRUE',
      hygieneRemoveUrls: 'true',
    },
    ...{ hygieneDropEmptyValues: 'true', hygieneNormalizeWhitespace: 'true', hygieneDedupeUnits: 'true' },
  };
  const content = `sku;name;note;more
A1;<b>red</b>  pump;see https://example.com/x;left out
B2;blue   valve;N/A;left out
A1;<i>red</i> pump;see;left out
`;
  const { processedChunks } = await ingested(desk, { name: 'a.csv', content }, fields);
  assert.equal(processedChunks, 2);
  const { results } = await search(desk, fields.vectorStore, 'pump valve', { filter: { lang: 'en' } });
  const shown = results.map(({ text, metadata }: { text: string; metadata: object }) => ({ text, metadata }));
  const metadata = { lang: 'en', sourceId: 'prices' };
  assert.deepEqual(
    shown.sort((one: { text: string }, other: { text: string }) => one.text.localeCompare(other.text)),
    [
      { text: 'name: blue valve', metadata: { ...metadata, sku: 'B2' } },
      { text: 'name: red pump\nnote: see', metadata: { ...metadata, sku: 'A1' } },
    ],
  );
});

test('POST /vectors ingest: every format is read', async () => {
  const desk = await newDesk();
  const files = [
    { name: 'a.PDF', content: pdfOfPages([lineOfText('A page with the word pump')]) },
    { name: 'a.docx', content: docxOf(paragraph('A paragraph with the word pump')) },
    { name: 'a.txt', content: 'A line with the word pump' },
    { name: 'a.md', content: '# Title\n\nA text with the word pump' },
    { name: 'a.json', content: '[{"text":"An element with the word pump"}]' },
    { name: 'a.tsv', content: 'text\tmore\nA row with the word pump\tx\n' },
  ];
  for (const file of files) await ingested(desk, file);
  const { results, total } = await search(desk, 'manuals', 'pump');
  assert.equal(total, 6);
  const places = Object.fromEntries(results.map(({ source }: { source: { name: string } }) => [source.name, source]));
  assert.deepEqual(Object.keys(places).sort(), files.map(({ name }) => name).sort());
  assert.equal(places['a.PDF'].page, 1);
  assert.equal(places['a.md'].heading, 'Title');
  assert.equal(places['a.json'].row, 1);
  assert.equal(places['a.tsv'].row, 1);
});

const WRONG: [field: string, value: string, message: RegExp][] = [
  ['vectorStore', '', /^vectorStore: must be 1-100 letters/],
  ['vectorStore', 'a/b', /^vectorStore: must be 1-100 letters/],
  ['vectorStore', 'ação', /^vectorStore: must be 1-100 letters/],
  ['vectorStore', 'x'.repeat(101), /^vectorStore: must be 1-100 letters/],
  ['metadata', '{', /^metadata: is not valid JSON; send an object/],
  ['metadata', '[1]', /^metadata: /],
  ['metadata', '"text"', /^metadata: /],
  ['metadata', JSON.stringify({ a: 'x'.repeat(16_400) }), /^metadata: must be at most 16 KB/],
  ['metadata', `${'{"a":'.repeat(12)}1${'}'.repeat(12)}`, /^metadata.*/],
  ['metadata', '{"sourceId":7}', /^metadata\.sourceId: must be a text of 1-200 characters/],
  ['metadata', '{"sourceId":""}', /^metadata\.sourceId: must be a text of 1-200 characters/],
  ['csvDelimiter', ';;', /^csvDelimiter: must be one character/],
  ['csvDelimiter', '"', /^csvDelimiter: must be one character/],
  ['csvDelimiter', 'x', /^csvDelimiter: must be one character/],
  [
    'csvContentColumns',
    'name,colour',
    /^csvContentColumns: the file has no column "colour"; it has "sku", "name", "price"$/,
  ],
  ['csvMetadataColumns', 'SKU', /^csvMetadataColumns: the file has no column "SKU"/],
  [
    'csvContentColumns',
    Array.from({ length: 501 }, (_, index) => index).join(),
    /^csvContentColumns: must name at most 500/,
  ],
  ['hygieneStripHtml', 'yes', /^hygieneStripHtml: must be true or false/],
  ['hygieneRemoveUrls', '1', /^hygieneRemoveUrls: must be true or false/],
  ['hygieneDropEmptyValues', 'on', /^hygieneDropEmptyValues: must be true or false/],
  ['hygieneNormalizeWhitespace', 'nope', /^hygieneNormalizeWhitespace: must be true or false/],
  ['color', 'red', /^color: is none of the fields/],
];

test('POST /vectors ingest: a wrong field is named with the remedy; no file is left', {
  skip: skipOnServers,
}, async () => {
  const desk = await newDesk();
  for (const [field, value, message] of WRONG) {
    const { status, body } = await send(desk, CSV, { [field]: value });
    const what = `${field}=${value.slice(0, 40)}: ${JSON.stringify(body)}`;
    assert.equal(status, 400, what);
    assert.match(body.message[0], message, what);
  }
  const many = await send(desk, CSV, { hygieneStripHtml: 'x', csvDelimiter: 'long', metadata: '{' });
  assert.equal(many.body.message.length, 3, 'all of them at once');
  assert.deepEqual((await ask(desk, 'GET', storePath('').replace(/\/$/, ''))).body, { stores: [], total: 0 });
  assert.deepEqual(await uploadsLeft(), []);
});

test('POST /vectors ingest: CSV fields of other formats are ignored, and notes say so', async () => {
  const desk = await newDesk();
  for (const csvDelimiter of [';', '\t', 'not valid']) {
    const text = { name: 'a.txt', content: `some text ${csvDelimiter}` };
    const { status, body } = await send(desk, text, { csvDelimiter, csvContentColumns: 'a' });
    assert.equal(status, 202, csvDelimiter);
    assert.deepEqual(body.notes, [
      'csvDelimiter: is for CSV files alone and was ignored',
      'csvContentColumns: is for CSV files alone and was ignored',
    ]);
    assert.equal((await ended(desk, body.jobId)).status, 'completed');
  }
  assert.equal((await send(desk, CSV, { csvDelimiter: ',' })).body.notes, undefined);
});

test('POST /vectors ingest: the same content again is named, and found once', async () => {
  const desk = await newDesk();
  const content = 'The red valve opens at 7 bar.';
  const first = await ingested(desk, { name: 'a.txt', content });
  const { body } = await send(desk, { name: 'b.txt', content }, { metadata: '{"team":"b"}' });
  assert.match(
    body.notes.join(),
    new RegExp(`^file: the document ${first.documentId} \\(a\\.txt\\) has the same content`),
  );
  const second = await ended(desk, body.jobId);
  const found = async (filter?: object) => {
    const { results, total } = await search(desk, 'manuals', 'valve', filter && { filter });
    return [results.map((one: { documentId: string }) => one.documentId), total];
  };
  assert.deepEqual(await found(), [[first.documentId], 1]);
  assert.deepEqual(await found({ team: 'b' }), [[second.documentId], 1]);
  await ask(desk, 'DELETE', `${storePath('manuals')}/documents/${first.documentId}`);
  assert.deepEqual(await found(), [[second.documentId], 1]);
  assert.equal((await send(desk, { name: 'c.txt', content: `${content} ` })).body.notes, undefined);
});

const NOTED: [name: string, content: string | Buffer, note: RegExp][] = [
  ['short.txt', Buffer.from('Ma\xdfnahme', 'latin1'), /^The encoding was guessed to be windows-1252\./],
  ['short.csv', Buffer.from('stadt\nK\xf6ln\n', 'latin1'), /^The encoding was guessed to be windows-1252\./],
  [
    'damaged.md',
    Buffer.concat([Buffer.from('größere Änderung über Öl '.repeat(4)), Buffer.from([0xff])]),
    /^Some bytes are not UTF-8/,
  ],
  [
    'object.docx',
    docxOf('<w:p><w:r><w:t>See:</w:t><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r></w:p>'),
    /^Embedded objects were not read: Excel/,
  ],
  ['plain.txt', 'größer', /^$/],
];

test('GET /vectors job: tells what was guessed and what is not part of the text', async () => {
  const desk = await newDesk();
  for (const [name, content, note] of NOTED) {
    assert.match((await ingested(desk, { name, content })).notes.join('\n'), note, name);
  }
});

test('POST /vectors ingest: 413 for large files, 415 for unknown formats and types', async (t) => {
  const app = await testApp(t, { uploadLimit: 0.01 });
  const desk = { url: app.url, key: app.key };
  assert.equal((await send(desk, { name: 'a.txt', content: 'x'.repeat(11_000) })).status, 413);
  assert.equal((await send(desk, { name: 'a.exe', content: 'MZ' })).status, 415);
  assert.equal((await send(desk, { name: 'README', content: 'x' })).status, 415);
  assert.equal((await ask(desk, 'POST', INGEST, { vectorStore: 'x' })).status, 415);
  assert.equal((await send(desk, { name: 'a.txt', content: 'x'.repeat(9_000) })).status, 202);
});

test('POST /vectors ingest: an unreadable file is a failed job with the reason', async () => {
  const desk = await newDesk();
  const failures: [name: string, content: string | Buffer, error: RegExp][] = [
    ['a.pdf', 'not a PDF at all', /PDF/],
    ['a.docx', 'not a zip at all', /./],
    ['a.json', '{"a": [1, 2', /./],
    ['a.csv', 'only,a,header\n', /^The file has a header and no rows/],
    ['a.txt', ' \n\t\n ', /^No extractable text was found/],
    ['b.pdf', pdfOfPages([lineOfText('')]), /OCR/],
  ];
  for (const [name, content, error] of failures) {
    const { body } = await send(desk, { name, content });
    const job = await ended(desk, body.jobId);
    assert.deepEqual([job.status, job.documentId], ['failed', null], name);
    assert.match(job.error, error, name);
    assert.ok(job.completedAt !== null, name);
  }
  assert.deepEqual((await ask(desk, 'GET', `${storePath('manuals')}/documents`)).body.total, 0);
});

test('POST /vectors ingest: a full queue is refused with the time to retry', { skip: skipOnServers }, async (t) => {
  const { app } = await heldApp(t, { ingestQueue: 2 });
  const desk = await newDesk(app);
  for (const name of ['a.txt', 'b.txt']) assert.equal((await send(desk, { name, content: name })).status, 202);
  const { status, body } = await send(desk, { name: 'c.txt', content: 'c' });
  assert.deepEqual([status, body.error], [503, 'Service Unavailable']);
  assert.match(body.message, /^Too many files wait to be ingested; nothing was stored/);
  const again = await send(desk, { name: 'b.txt', content: 'b.txt' });
  assert.deepEqual([again.status, again.body.status], [202, 'queued'], 'the same file again is its job');
  assert.equal(
    (await send(await newDesk(app), { name: 'c.txt', content: 'c' })).status,
    202,
    'another tenant has room',
  );
  const { jobs } = (await ask(desk, 'GET', `${storePath('manuals')}/ingestion-jobs`)).body;
  await ask(desk, 'POST', `${JOBS}/${jobs[0].jobId}/cancel`);
  assert.equal((await send(desk, { name: 'c.txt', content: 'c' })).status, 202);
});

test('POST /vectors ingest: the same file is its job also where the quota is used up', {
  skip: skipOnServers,
}, async (t) => {
  const { app } = await heldApp(t);
  const desk = await newDesk(app);
  await app.runtime.quotas.changeTenant({ id: desk.tenantId }, { documents: 4 });
  const first = await send(desk, { name: 'a.txt', content: 'text' });
  const again = await send(desk, { name: 'a.txt', content: 'text' });
  assert.deepEqual([first.status, again.status, again.body.jobId], [202, 202, first.body.jobId]);
  const other = await send(desk, { name: 'b.txt', content: 'x' });
  assert.equal(other.status, 429);
  assert.match(other.body.message, /quota/);
});

/** Of all tenants: no job may be waiting. */
async function uploadsLeft(): Promise<string[]> {
  const { runtime } = await sharedApp();
  return readdirSync(join(runtime.config.dataDir, 'uploads'));
}

const TEXT = { name: 'a.txt', content: 'the pump' };

interface Known {
  jobId: string;
  documentId: string;
}

type Ask = (desk: Desk) => Promise<{ status: number; body: { message?: string } }>;

/** Each route with its scope and the status for another tenant. */
const routes = ({ jobId, documentId }: Known): [name: string, scope: Scope, foreign: number, ask: Ask][] => [
  ['ingest', 'knowledge:write', 202, (desk) => send(desk, TEXT)],
  ['job', 'knowledge:read', 403, (desk) => ask(desk, 'GET', `${JOBS}/${jobId}`)],
  ['statusUrl', 'knowledge:read', 403, (desk) => ask(desk, 'GET', `/runtime/v1/vectors/ingestion-jobs/${jobId}`)],
  ['cancel', 'knowledge:write', 403, (desk) => ask(desk, 'POST', `${JOBS}/${jobId}/cancel`)],
  ['stores', 'knowledge:read', 200, (desk) => ask(desk, 'GET', `${VECTORS}/stores`)],
  ['jobs', 'knowledge:read', 404, (desk) => ask(desk, 'GET', `${storePath('manuals')}/ingestion-jobs`)],
  ['documents', 'knowledge:read', 404, (desk) => ask(desk, 'GET', `${storePath('manuals')}/documents`)],
  ['search', 'knowledge:read', 404, (desk) => ask(desk, 'POST', `${storePath('manuals')}/search`, { query: 'pump' })],
  [
    'delete document',
    'knowledge:write',
    403,
    (desk) => ask(desk, 'DELETE', `${storePath('manuals')}/documents/${documentId}`),
  ],
  ['delete store', 'knowledge:write', 404, (desk) => ask(desk, 'DELETE', storePath('manuals'))],
];

async function filledDesk() {
  const desk = await newDesk();
  const job = await ingested(desk, TEXT);
  return { desk, routes: routes(job) };
}

test("/vectors: another tenant's ids are 403, its names unknown", async () => {
  const { desk, routes: all } = await filledDesk();
  // Ingesting last: it would create a store of the same name.
  for (const [name, , foreign, asked] of [...all.slice(1), all[0]!]) {
    const { status, body } = await asked(await newDesk());
    assert.equal(status, foreign, name);
    if (status === 403) assert.match(body.message ?? '', /^This (document|ingestion job) belongs to another tenant\.$/);
    if (status === 404) assert.equal(body.message, 'There is no vector store "manuals". There is none yet.');
  }
  const { body } = await ask(desk, 'GET', `${storePath('manuals')}/documents`);
  assert.equal(body.total, 1, 'and all of it is still there');
});
