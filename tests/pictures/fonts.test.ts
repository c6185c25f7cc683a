import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { charactersOf, INTER, interHas, pngOf } from '../../src/pictures/entry.ts';
import { temporaryDirectory } from '../support/app.ts';

/** A character that no font of a usual machine has. */
const RARE = 0x10fffd;

test('interHas: Latin, Greek, Cyrillic and signs of charts, no Chinese, no emoji', () => {
  for (const text of ['Olá, ação!', 'Έσοδα', 'Выручка', '▲▼–−…·×≥≤→€%‰\u00a0\u202f', '<&">'])
    assert.ok(interHas(text), text);
  for (const text of ['中', 'か', '매', 'ا', '😀', '\u{10fffd}', 'Orders 中']) assert.ok(!interHas(text), text);
});

test('charactersOf: both weights of Inter have the same characters', () => {
  const [regular, semibold] = INTER.map((file) => charactersOf(readFileSync(file)));
  assert.ok(regular!.size > 2_000);
  assert.deepEqual(regular, semibold);
});

test('pngOf: a font of the machine draws characters that Inter lacks', { skip: process.platform !== 'linux' }, (t) => {
  const home = process.env.HOME;
  process.env.HOME = temporaryDirectory(t);
  t.after(() => Object.assign(process.env, { HOME: home }));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" font-family="Inter"><text x="20" y="40" font-size="30">${String.fromCodePoint(RARE)}</text></svg>`;
  const before = pngOf({ svg, scale: 1 });
  mkdirSync(join(process.env.HOME, '.fonts'));
  writeFileSync(join(process.env.HOME, '.fonts', 'rare.ttf'), fontWith(RARE));
  assert.notDeepEqual(pngOf({ svg, scale: 1 }), before);
});

/** Inter, with its last character replaced by `character`. */
function fontWith(character: number): Buffer {
  const font = readFileSync(INTER[0]!);
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8);
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const at = cmap + font.readUInt32BE(cmap + 8 + index * 8);
    if (font.readUInt16BE(at) !== 12) continue;
    const last = at + 16 + (font.readUInt32BE(at + 12) - 1) * 12;
    font.writeUInt32BE(character, last);
    font.writeUInt32BE(character, last + 4);
  }
  return font;
}
