import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { invalid } from '../../../src/core/base/shared/errors.ts';
import { plainFileName } from '../../../src/http/body/form.ts';
import { openApiDocument } from '../../../src/http/docs/openapi.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { eventually } from '../../support/process.ts';
import {
  BOUNDARY,
  connected,
  END,
  form,
  head,
  MEGABYTE,
  PATH,
  part,
  post,
  STORE,
  uploadRoute,
  uploadServer,
} from './upload-support.ts';

const FILE = part('file', 'a,b\n1,2\n', 'data.csv');

test('readForm: accepts fields before and after the file', async (t) => {
  const { url, contentOf, files } = await uploadServer(t);
  const content = randomBytes(3 * MEGABYTE + 11);
  const metadata = part('metadata', '{"title":"Olá 🌍"}');
  const file = part('file', content, 'Handbuch.PDF', 'Content-Type: application/pdf\r\n');
  for (const parts of [
    [STORE, metadata, file],
    [file, STORE, metadata],
    [metadata, file, STORE],
  ]) {
    const { status, body } = await post(url, form(...parts));
    assert.equal(status, 202, JSON.stringify(body));
    assert.deepEqual(body.fields, { vectorStore: 'manuals', metadata: '{"title":"Olá 🌍"}' });
    const { name, upload } = body.file;
    const sha256 = createHash('sha256').update(content).digest('hex');
    assert.deepEqual([name, upload.size, upload.sha256], ['Handbuch.PDF', content.length, sha256]);
    assert.ok(contentOf(upload.id).equals(content));
  }
  assert.equal(files().length, 3);
});

test('readForm: a file that contains what resembles a boundary is stored unchanged', async (t) => {
  const { url, contentOf } = await uploadServer(t);
  const content = `\r\n--${BOUNDARY.slice(0, -1)}\r\n--${BOUNDARY.slice(0, -2)}--\r\n-\r\n--`.repeat(20_000);
  const { body } = await post(url, form(STORE, part('file', content, 'tricky.txt')));
  assert.equal(contentOf(body.file.upload.id).toString(), content);
});

test('readForm: accepts what FormData sends', async (t) => {
  const { url } = await uploadServer(t);
  const body = new FormData();
  body.set('vectorStore', 'manuals');
  body.set('file', new Blob(['# Título']), 'leia-me — ção.md');
  const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': 'one-key' }, body });
  const { file } = (await response.json()) as { file: { name: string; upload: { size: number } } };
  assert.deepEqual([response.status, file.name, file.upload.size], [202, 'leia-me — ção.md', 9]);
});

const REFUSED: [what: string, body: Buffer, status: number, message: RegExp, headers?: Record<string, string>][] = [
  ['no file', form(STORE), 400, /^file: is required; send the file/],
  ['two files', form(STORE, FILE, FILE), 400, /^file: is there twice; send one file/],
  [
    'a file in another field',
    form(STORE, part('document', 'x', 'a.csv')),
    400,
    /^document: is none of the fields.*file/,
  ],
  ['a file in a field of text', form(part('metadata', '{}', 'a.json'), FILE), 400, /^metadata: must be sent as text/],
  ['a file that is sent as text', form(STORE, part('file', 'a,b')), 400, /^file: must be sent as a file/],
  [
    'a file without a name',
    form(STORE, part('file', 'a,b', '')),
    400,
    /^file: must be sent as a file, with a file name/,
  ],
  [
    'a nameless stream of octets',
    form(STORE, part('file', 'a', undefined, 'Content-Type: application/octet-stream\r\n')),
    400,
    /^file: has no file name; its extension/,
  ],
  ['a name of folders alone', form(STORE, part('file', 'a', '../../../')), 400, /^file: has no file name/],
  ['an empty file', form(STORE, part('file', '', 'a.csv')), 400, /^file: is empty/],
  [
    'an unknown field',
    form(STORE, part('color', 'red'), FILE),
    400,
    /^color: is none of the fields, which are file, v/,
  ],
  ['a field named as what every object has', form(part('__proto__', 'x'), FILE), 400, /^__proto__: is none/],
  ['an unknown field after the file', form(STORE, FILE, part('color', 'red')), 400, /^color: is none of the fields/],
  ['a part without a name', form(part('', 'x'), FILE), 400, /^a part without a name: is none of the fields/],
  ['a repeated field', form(STORE, FILE, STORE), 400, /^vectorStore: is there twice/],
  ['a field too long', form(part('metadata', 'x'.repeat(65_537)), FILE), 400, /^metadata: exceeds 65536 bytes/],
  [
    'a field that is not UTF-8',
    form(part('metadata', Buffer.from('"\xff"', 'latin1')), FILE),
    400,
    /^metadata:.*UTF-8/,
  ],
  ['a very long field name', form(part('n'.repeat(9_000), ''), FILE), 400, /^n{100}\.\.\.: is none/],
  ['a missing field', form(FILE), 400, /^vectorStore: is required$/],
  ['a field of wrong form', form(STORE, FILE, part('csvDelimiter', ';;')), 400, /^csvDelimiter: must have at most 1/],
  ['an unknown extension', form(STORE, part('file', 'MZ', 'tool.exe')), 415, /^file: "tool\.exe".*Send pdf, docx, txt/],
  ['no extension', form(STORE, part('file', 'x', 'README')), 415, /^file: "README" has no extension/],
  ['a file too large', form(STORE, part('file', Buffer.alloc(100_001), 'a.txt')), 413, /^file: exceeds.* 100000 bytes/],
  ['a body that ends early', Buffer.concat([STORE, FILE]), 400, /^body: is not valid multipart.*ends within a part$/],
  ['a file that ends early', Buffer.concat([STORE, FILE.subarray(0, -6)]), 400, /^body: .*ends within a part$/],
  ['a file after the end', Buffer.concat([form(), form(STORE, FILE)]), 400, /^body: is not valid multipart/],
  ['no body', Buffer.alloc(0), 400, /^body: is not valid multipart/],
  ['garbage', randomBytes(200_000), 400, /^body: is not valid multipart/],
  ['another boundary', form(STORE, FILE), 400, /^body: /, { 'content-type': 'multipart/form-data; boundary=other' }],
  ['a bad part header', form(Buffer.from(`--${BOUNDARY}\r\nno header\r\n\r\n`)), 400, /^body: .*headers of a part are/],
  ['no boundary', form(FILE), 400, /^Content-Type: has no boundary/, { 'content-type': 'multipart/form-data' }],
  ['another content type', form(FILE), 415, /Content-Type multipart\/form-data/, { 'content-type': 'text/csv' }],
  ['a compressed body', form(FILE), 415, /^Content-Encoding gzip is not taken/, { 'content-encoding': 'gzip' }],
  ['an unknown key', form(STORE, FILE), 401, /key is not valid/, { 'x-api-key': 'nobody' }],
];

test('readForm: a refusal says what to do and leaves no file', async (t) => {
  const { url, files } = await uploadServer(t, { maxBytes: 100_000 });
  for (const [what, sent, status, message, headers] of REFUSED) {
    const answer = await post(url, sent, headers);
    assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    const [detail = ''] = [answer.body.message].flat();
    assert.match(detail, message, what);
    assert.ok(detail.length < 300, what);
    assert.deepEqual(files(), [], what);
  }
  assert.equal((await post(url, form(STORE, FILE))).status, 202, 'the next is accepted');
});

test('readForm: a file and a field of exactly their limits are accepted', async (t) => {
  const { url } = await uploadServer(t, { maxBytes: 100_000 });
  const file = part('file', Buffer.alloc(100_000, 'x'), 'a.txt');
  const answer = await post(url, form(STORE, part('metadata', 'x'.repeat(65_536)), file));
  assert.deepEqual([answer.status, answer.body.file?.upload.size], [202, 100_000], JSON.stringify(answer.body.message));
});

test('readForm: file names lose directories and invisible characters, in any script', async (t) => {
  const { url, files } = await uploadServer(t);
  const names = {
    '../../etc/passwd.csv': 'passwd.csv',
    'C:\\\\fakepath\\\\Umsätze 2026.csv': 'Umsätze 2026.csv',
    '報告書 — résumé 🌍.PDF': '報告書 — résumé 🌍.PDF',
    'a\u202ecod.txt': 'acod.txt',
    [`${'n'.repeat(400)}.markdown`]: `${'n'.repeat(246)}.markdown`,
  };
  for (const [sent, name] of Object.entries(names)) {
    const { body } = await post(url, form(STORE, part('file', 'x', sent)));
    assert.equal(body.file?.name, name, JSON.stringify(body.message));
  }
  const extended = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''%E2%82%AC%00%0a..%2f%C3%A9.csv\r\n\r\nx\r\n`;
  assert.equal((await post(url, form(STORE, Buffer.from(extended)))).body.file.name, 'é.csv');
  assert.ok(
    files().every((name) => /^[0-9a-f-]{36}$/.test(name)),
    'and no file on disk is called so',
  );
});

test('uploadRoute: the file is removed if run rejects and stays if it resolves', async (t) => {
  let isFull = true;
  const { url, files, store } = await uploadServer(t, {
    run: async ({ upload }) => {
      assert.ok(await store.open(upload.file.upload.id));
      if (isFull) throw invalid('vectorStore: has another embedder');
      return { status: 202, body: {} };
    },
  });
  assert.equal((await post(url, form(STORE, FILE))).status, 400);
  assert.deepEqual(files(), []);
  isFull = false;
  assert.equal((await post(url, form(STORE, FILE))).status, 202);
  assert.equal(files().length, 1);
});

test('uploadRoute: a right revoked during the upload is refused at the end', async (t) => {
  const { url, files, revoked } = await uploadServer(t);
  const slow = async function* () {
    yield STORE;
    yield FILE;
    await sleep(600);
    revoked.add('one-key');
    yield form();
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': 'one-key', 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: ReadableStream.from(slow()),
    duplex: 'half',
  } as RequestInit);
  assert.equal(response.status, 401);
  assert.deepEqual(files(), []);
});

test('openApiDocument: describes the form with its file, fields and refusals', (t) => {
  const { taking } = uploadRoute(temporaryDirectory(t));
  const { paths } = openApiDocument([taking]) as unknown as {
    paths: Record<string, { post: { requestBody: unknown; responses: Record<string, { description: string }> } }>;
  };
  const { requestBody, responses } = paths[PATH]!.post;
  assert.deepEqual(requestBody, {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: { type: 'string', format: 'binary', description: 'What is to be read.' },
            vectorStore: { type: 'string', minLength: 1, description: 'Where it goes.' },
            metadata: { type: 'string', description: 'JSON that is kept with it.' },
            csvDelimiter: { type: 'string', minLength: 1, maxLength: 1 },
          },
          required: ['file', 'vectorStore'],
          additionalProperties: false,
        },
      },
    },
  });
  for (const status of ['400', '401', '408', '413', '415', '503']) assert.ok(responses[status], status);
  assert.match(responses['415']!.description, /pdf, docx, txt, md, json, csv/);
});

const CONTENT = Buffer.from('name,price\r\n"a",1\r\n'.repeat(50));
const WHOLE = form(STORE, part('metadata', '{"a":1}'), part('file', CONTENT, 'list.csv'));

/** Parts of forms, valid and invalid, in any order. */
const piece = fc.oneof(
  fc.constantFrom(
    STORE,
    END,
    part('file', CONTENT, 'list.csv'),
    part('file', '', 'empty.csv'),
    part('metadata', '{}'),
    Buffer.from(`--${BOUNDARY}`),
    Buffer.from(`--${BOUNDARY}\r\n`),
    Buffer.from('\r\n\r\n'),
    Buffer.from('Content-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n'),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const changed = fc
  .tuple(fc.nat(WHOLE.length - 1), fc.nat(20), fc.uint8Array({ maxLength: 20 }))
  .map(([at, gone, put]) => Buffer.concat([WHOLE.subarray(0, at), put, WHOLE.subarray(at + gone)]));

test('upload fuzz: only accepted forms leave a file', async (t) => {
  const { url, files, store } = await uploadServer(t);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array(piece, { maxLength: 8 }).map((all) => Buffer.concat(all)),
        changed,
      ),
      async (body) => {
        const before = files().length;
        const answer = await post(url, body);
        assert.ok([202, 400, 415].includes(answer.status), `${answer.status}`);
        assert.equal(files().length - before, answer.status === 202 ? 1 : 0);
        if (answer.status === 202) await store.remove(answer.body.file.upload.id);
      },
    ),
    { numRuns: 200, endOnFailure: true, timeout: 5_000, interruptAfterTimeLimit: 20_000 },
  );
});

test('upload fuzz: however a form is split into chunks, the same file arrives', async (t) => {
  const { port, contentOf } = await uploadServer(t);
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(WHOLE.length), { maxLength: 12 }), async (cuts) => {
      const { socket, received, status } = await connected(t, port);
      socket.setNoDelay(true).write(head(WHOLE.length));
      const at = [0, ...cuts.sort((one, other) => one - other), WHOLE.length];
      for (const [index, from] of at.slice(0, -1).entries()) {
        socket.write(WHOLE.subarray(from, at[index + 1]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually('it is answered', async () => received().endsWith('}'), 10_000);
      const { file } = JSON.parse(received().slice(received().indexOf('{')));
      assert.deepEqual([status(), file.upload.size, file.upload.sha256], [202, CONTENT.length, sha256]);
      assert.ok(contentOf(file.upload.id).equals(CONTENT));
      socket.destroy();
    }),
    { numRuns: 40, endOnFailure: true, timeout: 5_000, interruptAfterTimeLimit: 20_000 },
  );
});

const nasty = fc.string({
  unit: fc.constantFrom('a', 'ß', '🌍', '\ud83c', '.', '..', '/', '\\', '\0', '\n', '\x85', '\u202e', ' ', '.csv'),
  maxLength: 600,
});

const long = fc.string({ unit: fc.constantFrom('a', ' ', '🌍', '.'), minLength: 200, maxLength: 300 });

test('plainFileName: removes directories and invisible characters, idempotently', () => {
  fc.assert(
    fc.property(fc.oneof(nasty, long, fc.string({ unit: 'binary', maxLength: 600 })), (sent) => {
      const name = plainFileName(sent);
      assert.doesNotMatch(name, /[/\\\p{Cc}\u202e]/u);
      assert.ok(name.length <= 255 && name.isWellFormed() && name === name.trim());
      assert.equal(plainFileName(name), name);
    }),
  );
});

test('plainFileName: a long name keeps its extension and whole characters', () => {
  assert.equal(plainFileName(`${'🌍'.repeat(200)}.csv`), `${'🌍'.repeat(125)}.csv`);
  assert.equal(plainFileName('n'.repeat(300)), 'n'.repeat(255));
});
