import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request as rawRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { pages } from '../../../packaging/api-docs/pages.ts';
import { routes } from '../../../src/http/app.ts';
import { mountDocs } from '../../../src/http/docs/mount.ts';
import { errorHandler } from '../../../src/http/errors.ts';
import { createLog } from '../../../src/logging/log.ts';
import type { PortalFile, PortalFiles } from '../../../src/portal/files.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PLAIN = /<h1>Agent Runtime API/;
const SCRIPT = '/docs/reference/main-1A2B.js';
const PAGE = '<a href="./docs/plain">Plain</a><script src="./docs/reference/main-1A2B.js"></script>';

function file(type: string, text: string): PortalFile {
  return { type, read: async () => Buffer.from(text) };
}

const BUILT: Record<string, PortalFile> = {
  'reference/index.html': file('text/html; charset=utf-8', PAGE),
  'reference/main-1A2B.js': file('text/javascript; charset=utf-8', 'script'),
};

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}

/** The pages alone; `find` stands for the built files. */
async function docs(
  t: TestContext,
  {
    find = async (path) => BUILT[path] ?? null,
    basePath = '/',
  }: Partial<Pick<PortalFiles, 'find'>> & { basePath?: string } = {},
) {
  const app = express();
  mountDocs(app, routes, { find }, basePath);
  app.use(errorHandler(createLog('silent')));
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return (path: string, headers: Record<string, string> = {}) =>
    new Promise<Answer>((resolve, reject) => {
      rawRequest({ host: '127.0.0.1', port, path, headers }, async (response) => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    });
}

test('Docs: browsers get the page that tries requests, others the one without scripts', async (t) => {
  const get = await docs(t);
  const tried = await get('/docs', { accept: BROWSER });
  assert.equal(tried.body.toString(), PAGE.replaceAll('"./', '"/'));
  assert.match(String(tried.headers.vary), /\bAccept\b/);
  assert.equal(tried.headers['cache-control'], 'no-cache');
  for (const accept of ['*/*', 'application/json', '']) {
    assert.match((await get('/docs', accept ? { accept } : {})).body.toString(), PLAIN);
  }
  assert.match((await get('/docs/plain', { accept: BROWSER })).body.toString(), PLAIN);
});

test('Docs: the page that tries requests runs no inline script', async (t) => {
  const { headers } = await (await docs(t))('/docs', { accept: BROWSER });
  const policy = String(headers['content-security-policy']).split('; ');
  for (const part of [
    ...["default-src 'none'", "script-src 'self'", "connect-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ]) {
    assert.ok(policy.includes(part), part);
  }
  assert.doesNotMatch(policy.join('; '), /unsafe-eval|https?:|script-src[^;]*unsafe/);
});

test('Docs: the built files are cached for good', async (t) => {
  const get = await docs(t);
  const packed = await get(SCRIPT, { 'accept-encoding': 'gzip, br' });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(packed.body).toString(), 'script');
  assert.equal(packed.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(packed.headers['content-type'], 'text/javascript; charset=utf-8');
  const plain = await get(SCRIPT);
  assert.deepEqual([plain.headers['content-encoding'], plain.body.toString()], [undefined, 'script']);
  assert.match(String(plain.headers.vary), /Accept-Encoding/);
  assert.equal((await get('/docs/reference/main-old.js')).status, 404);
  assert.equal((await get('/docs/reference/..%2findex.html')).status, 404);
});

test('Docs: a failed read is an error that nobody caches, and is tried again', async (t) => {
  let reads = 0;
  const script: PortalFile = {
    type: 'text/javascript; charset=utf-8',
    read: async () => {
      reads += 1;
      if (reads === 1) throw new Error('EMFILE');
      return Buffer.from('script');
    },
  };
  const get = await docs(t, { find: async () => script });
  const [failed, again] = [
    await get(SCRIPT, { 'accept-encoding': 'br' }),
    await get(SCRIPT, { 'accept-encoding': 'br' }),
  ];
  assert.deepEqual([failed.status, failed.headers['content-encoding']], [500, undefined]);
  assert.doesNotMatch(String(failed.headers['cache-control']), /immutable/);
  assert.equal(brotliDecompressSync(again.body).toString(), 'script');
});

test('Docs: without built files browsers get the page without scripts', async (t) => {
  const missing = await docs(t, { find: async () => null });
  assert.match((await missing('/docs', { accept: BROWSER })).body.toString(), PLAIN);
  const failing = await docs(t, { find: () => Promise.reject(new Error('Vite is missing')) });
  assert.match((await failing('/docs', { accept: BROWSER })).body.toString(), PLAIN);
});

test('Docs: the document and the plain page are compressed as the client accepts', async (t) => {
  const get = await docs(t);
  for (const [path, type] of [
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/docs/plain', 'text/html; charset=utf-8'],
  ] as const) {
    const plain = await get(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers['content-type'], type);
    const [br, gzip] = [await get(path, { 'accept-encoding': 'br' }), await get(path, { 'accept-encoding': 'gzip' })];
    assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip']);
    assert.ok(brotliDecompressSync(br.body).equals(plain.body) && gunzipSync(gzip.body).equals(plain.body));
    assert.ok(br.body.length < plain.body.length / 5, `${path}: ${br.body.length}`);
    const refused = await get(path, { 'accept-encoding': 'br;q=0, identity' });
    assert.equal(refused.headers['content-encoding'], undefined);
  }
});

test('Docs: below the path of a proxy, servers and links have that path', async (t) => {
  const get = await docs(t, { basePath: '/tools/runtime/' });
  const { servers } = JSON.parse((await get('/openapi.json')).body.toString()) as { servers: object[] };
  assert.deepEqual(servers, [{ url: '/tools/runtime' }]);
  assert.match((await get('/docs', { accept: BROWSER })).body.toString(), /src="\/tools\/runtime\/docs\/reference\//);
  const plain = (await get('/docs/plain')).body.toString();
  assert.match(plain, /href="\/tools\/runtime\/openapi\.json"/);
  assert.match(plain, /href="\/tools\/runtime\/docs"/);
});

const API_DOCS = new URL('../../../docs/api/', import.meta.url);

test('docs/api: every link leads to an existing page and heading', () => {
  const all = pages();
  const headings = new Map([...all].map(([file, text]) => [file, headingsOf(text)]));
  for (const [file, text] of all) {
    for (const [, path, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = headings.get(path || file) ?? headingsOf(readFileSync(new URL(path!, API_DOCS), 'utf8'));
      if (anchor) assert.ok(target.has(anchor), `${file}: ${path}#${anchor}`);
    }
  }
});

test('docs/api: the pages show tables of members, no JSON Schema', () => {
  const all = [...pages().values()].join('\n');
  // Examples may have a schema of a tool.
  assert.doesNotMatch(all.replaceAll(/```[^`]*```/g, ''), /"\$ref"|additionalProperties/);
  assert.match(all, /\| `rating` \| `"good"`, `"bad"` or `"needs_improvement"` \| How good the outcome was\. \|/);
  assert.match(all, /```sh\ncurl -X PATCH http:\/\/127\.0\.0\.1:3000\/api\/v1\/runtime\/users\//);
});

/** The anchors of the headings. */
function headingsOf(markdown: string): Set<string> {
  const titles = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase());
  return new Set(titles.map((title) => title.replace(/[^\w\s-]/g, '').replaceAll(' ', '-')));
}
