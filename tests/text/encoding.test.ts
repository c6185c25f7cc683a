import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { UnreadableDocument } from '../../src/core/knowledge/reader.ts';
import { bytesOf } from '../../src/text/bytes.ts';
import { encodingOf, toUtf8File, utf8Head } from '../../src/text/encoding.ts';
import { fileOf } from '../support/upload-file.ts';
import { sparingly } from './textual.ts';

const PORTUGUESE = 'nome;descrição;preço\nJoão;Coração, ação e emoção não são opções;10,5\n'.repeat(30);

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

const TEXTS = {
  portuguese: 'nome;descrição;preço\nJoão;Coração, ação e emoção não são opções;10,5\n'.repeat(30),
  report: 'Relatório técnico sobre a situação econômica. As informações são públicas. '.repeat(30),
  japanese: '日本語のテキスト,テスト\n東京都,大阪\n'.repeat(30),
  russian: 'имя;описание\nИван;Привет мир\n'.repeat(30),
  german: 'Größe;Übermut;straße\n'.repeat(20),
  lateAccent: `id,name\n${'1,plain ascii line\n'.repeat(3000)}2,café\n`,
  ascii: 'a,b\n1,2\n'.repeat(10),
  polish: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. '.repeat(10),
  turkish: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. '.repeat(10),
  korean: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. '.repeat(10),
  chinese: '人人生而自由，在尊严和权利上一律平等。\n他们赋有理性和良心。\n'.repeat(10),
  euro: 'price €5 — “smart”\n'.repeat(20),
};

const nameOf = (content: Buffer, most = 1_000_000) => encodingOf(sparingly(bytesOf(content), most)).name;

test('encodingOf(): text in every usual encoding decodes to the original', () => {
  const cases: [keyof typeof TEXTS, string][] = [
    ['portuguese', 'utf-8'],
    ['portuguese', 'latin1'],
    ['report', 'latin1'],
    ['portuguese', 'win1252'],
    ['german', 'latin1'],
    ['japanese', 'utf-8'],
    ['japanese', 'Shift_JIS'],
    ['japanese', 'EUC-JP'],
    ['japanese', 'utf-16le'],
    ['japanese', 'utf-16be'],
    ['russian', 'win1251'],
    ['russian', 'KOI8-R'],
    ['russian', 'utf-16le'],
    ['russian', 'utf-16be'],
    ['portuguese', 'utf-16le'],
    ['portuguese', 'utf-16be'],
    ['lateAccent', 'utf-8'],
    ['lateAccent', 'latin1'],
    ['euro', 'win1252'],
    ['ascii', 'utf-8'],
    ['ascii', 'utf-16le'],
    ['polish', 'win1250'],
    ['turkish', 'win1254'],
    ['korean', 'euc-kr'],
    ['chinese', 'gb18030'],
    ['chinese', 'utf-16le'],
    ['chinese', 'utf-16be'],
  ];
  for (const [text, encoding] of cases) {
    const content = iconv.encode(TEXTS[text], encoding);
    const name = nameOf(content);
    assert.equal(iconv.decode(content, name), TEXTS[text], `${text} in ${encoding} was taken for ${name}`);
  }
});

test('encodingOf(): a single accent reveals Latin-1, even after a million bytes', () => {
  for (const text of ['José', 'não', 'São Paulo', 'x,ü', 'go ã', `${'a,b\n'.repeat(600_000)}é`]) {
    assert.equal(nameOf(iconv.encode(text, 'latin1')), 'windows-1252');
  }
});

test('encodingOf(): a short text of other letters than Latin is not taken for Western', () => {
  for (const text of ['Привет, мир', 'Возврат денег возможен в течение пяти дней', 'Цена 500 руб. за кг']) {
    assert.equal(nameOf(iconv.encode(text, 'win1251')), 'windows-1251');
  }
  assert.equal(nameOf(iconv.encode('ÄÖÜäöüß ÀÉÈ', 'win1252')), 'windows-1252');
});

test('encodingOf(): a byte order mark decides, and its length is returned', () => {
  assert.deepEqual(encodingOf(bytesOf(Buffer.from('\ufeffa'))), { name: 'utf-8', mark: 3, hasNuls: false });
  for (const [encoding, mark] of [
    ['utf-16le', 2],
    ['utf-16be', 2],
    ['utf-32le', 4],
    ['utf-32be', 4],
  ] as const) {
    const content = iconv.encode('\ufeffab', encoding);
    assert.deepEqual(encodingOf(bytesOf(content)), { name: encoding, mark, hasNuls: false });
  }
});

test('encodingOf(): UTF-8 validity does not depend on where reads end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
      fc.integer({ min: 1, max: 9 }),
      (text, most) => {
        const content = Buffer.from(text);
        assert.equal(nameOf(content, most), 'utf-8');
      },
    ),
  );
  for (const broken of ['a\xe3', 'a\xe3b', '\xe3', 'a\xe3\x81', '\xc3\xc3', 'ab\xf0\x9f\x98', '\xe3b\x81\x82']) {
    for (const most of [1, 2, 3, 100])
      assert.equal(nameOf(Buffer.from(broken, 'latin1'), most), 'windows-1252', broken);
  }
});

test('encodingOf(): ISO-2022-JP is refused by name; other escapes are accepted', () => {
  const japanese = Buffer.from('Hello\n\x1b$B8cGZ$OG-$G$"$k\x1b(B\n');
  assert.throws(
    () => encodingOf(bytesOf(japanese)),
    /written in ISO-2022-JP, which is not supported\. Save it in UTF-8/,
  );
  assert.equal(nameOf(Buffer.from('\x1b[31mred\x1b(B\x1b[m $B')), 'utf-8');
});

test('encodingOf(): UTF-8 with some damage stays UTF-8', () => {
  const content = Buffer.concat([Buffer.from(TEXTS.portuguese), Buffer.from([0xc3]), Buffer.from(TEXTS.portuguese)]);
  assert.equal(nameOf(content), 'utf-8');
});

test('encodingOf(): few NULs are reported; many, or with controls, are refused', () => {
  assert.equal(encodingOf(bytesOf(Buffer.from('a\0b'))).hasNuls, true);
  assert.equal(encodingOf(bytesOf(Buffer.from(`${'text '.repeat(3_000)}${'\0'.repeat(15)}`))).hasNuls, true);
  const binaries = [
    Buffer.from(`${'text '.repeat(3_000)}${'\0'.repeat(16)}`),
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\x90', 'latin1'),
    Buffer.from('words\0ended\0by NULs\0'.repeat(100)),
    Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'),
    Buffer.from(Uint16Array.from({ length: 1_000 }, (_, index) => index % 200).buffer),
    Buffer.from(Float64Array.from({ length: 1_000 }, (_, index) => Math.sqrt(index)).buffer),
  ];
  for (const [index, content] of binaries.entries()) {
    assert.throws(() => encodingOf(bytesOf(content)), UnreadableDocument, `binary ${index}`);
  }
});
