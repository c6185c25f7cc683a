import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import iconv from 'iconv-lite';
import { toUtf8File, utf8Head } from '../../src/text/encoding.ts';
import { fileOf } from './textual.ts';

const PORTUGUESE = 'nome;descrição;preço\nJoão;Coração, ação e emoção não são opções;10,5\n'.repeat(30);

/** The decoded text, and whether it came from a copy. */
function readBack(t: TestContext, content: Buffer): { text: string; copied: boolean } {
  const path = fileOf(t, content);
  const { path: readable, begin, size } = toUtf8File(path);
  const bytes = readFileSync(readable);
  assert.equal(bytes.length, size);
  assert.ok(!existsSync(`${path}.utf8.part`));
  return { text: bytes.toString('utf8', begin), copied: readable === `${path}.utf8` };
}

test('toUtf8File(): a UTF-8 file is read in place, after its byte order mark', (t) => {
  assert.deepEqual(readBack(t, Buffer.from(PORTUGUESE)), { text: PORTUGUESE, copied: false });
  assert.deepEqual(readBack(t, Buffer.from(`\ufeff${PORTUGUESE}`)), { text: PORTUGUESE, copied: false });
  assert.deepEqual(readBack(t, Buffer.alloc(0)), { text: '', copied: false });
});

test('toUtf8File(): a file in another encoding is copied to UTF-8', (t) => {
  for (const [encoding, mark] of [
    ['win1252', ''],
    ['utf-16le', ''],
    ['utf-16le', '\ufeff'],
    ['utf-16be', ''],
    ['utf-16be', '\ufeff'],
    ['utf-32le', '\ufeff'],
    ['utf-32be', '\ufeff'],
  ] as const) {
    assert.deepEqual(
      readBack(t, iconv.encode(mark + PORTUGUESE, encoding)),
      { text: PORTUGUESE, copied: true },
      encoding,
    );
  }
});

test('toUtf8File(): copies of large files have no seams in any multi-byte encoding', (t) => {
  const text = `x${'日本語のテキスト,ação🙂\n'.repeat(60_000)}`;
  for (const encoding of ['utf-16le', 'utf-16be']) assert.equal(readBack(t, iconv.encode(text, encoding)).text, text);
  const japanese = `x${'日本語のテキスト、東京都\n'.repeat(60_000)}`;
  assert.equal(readBack(t, iconv.encode(japanese, 'Shift_JIS')).text, japanese);
  const cut = iconv.encode(japanese, 'Shift_JIS').subarray(0, -2);
  assert.equal(readBack(t, cut).text, `${japanese.slice(0, -2)}\ufffd`, 'half a character at the end shows');
  assert.deepEqual(readBack(t, Buffer.from(text)), { text, copied: false });
});

test('toUtf8File(): a few NULs in a text become spaces', (t) => {
  assert.deepEqual(readBack(t, Buffer.from('ação\0 and more')), { text: 'ação  and more', copied: true });
  assert.deepEqual(readBack(t, Buffer.from('a\xe7\xe3o\0', 'latin1')), { text: 'ação ', copied: true });
});

test('toUtf8File(): a partial copy left by a crash is replaced', (t) => {
  const path = fileOf(t, iconv.encode(PORTUGUESE, 'win1252'));
  writeFileSync(`${path}.utf8.part`, 'half of');
  writeFileSync(`${path}.utf8`, 'nothing of it');
  assert.equal(readFileSync(toUtf8File(path).path, 'utf8'), PORTUGUESE);
  assert.equal(readFileSync(toUtf8File(path).path, 'utf8'), PORTUGUESE);
  assert.ok(!existsSync(`${path}.utf8.part`));
});

test('utf8Head(): the beginning of a text is decoded without a copy', (t) => {
  const path = fileOf(t, iconv.encode(PORTUGUESE, 'win1252'));
  assert.equal(utf8Head(path).toString(), PORTUGUESE);
  assert.ok(!existsSync(`${path}.utf8`));
  assert.equal(utf8Head(fileOf(t, '\ufeffação')).toString(), 'ação');
  assert.equal(utf8Head(fileOf(t, '')).toString(), '');
});
