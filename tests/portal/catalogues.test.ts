import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesIn } from '../../packaging/binary/files.ts';
import { PORTUGUESE } from '../../portal/src/language/pt/index.ts';
import { server } from '../../portal/src/language/pt/server.ts';
import { serverText } from '../../portal/src/language/pt/server-texts.ts';
import { charts } from '../../src/language/pt/charts.ts';
import { messages } from '../../src/language/pt/messages.ts';
import type { Translation } from '../../src/language/translate.ts';

const SOURCES = join(import.meta.dirname, '../../portal/src');
const AREAS = 'language/pt/';

const files = filesIn(SOURCES).filter((file) => /\.tsx?$/.test(file));
const texts = new Map(files.map((file) => [file, readFileSync(join(SOURCES, file), 'utf8')]));
const entries: [string, Translation][] = [
  ...Object.entries(PORTUGUESE),
  ...Object.entries(charts),
  ...Object.entries(messages),
  ...Object.entries(server).filter(([english]) => !english.includes('{unit}')),
];

const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
const formsOf = (translation: Translation) =>
  typeof translation === 'string' ? [translation] : [translation.one, translation.other];

test('Catalogue: each translation has the values of its English text', () => {
  for (const [english, translation] of entries) {
    for (const form of formsOf(translation)) {
      assert.notEqual(form.trim(), '', english);
      assert.deepEqual(namesIn(form), namesIn(english), english);
    }
  }
});

test('Catalogue: each text is used, and stands in one area', async () => {
  const pages = [...texts].filter(([file]) => !file.startsWith(AREAS)).map(([, text]) => text);
  const source = pages.join('\n');
  const unused = Object.keys(PORTUGUESE).filter((english) => !isIn(source, english));
  assert.deepEqual(unused, []);
  const seen = new Map<string, string>();
  for (const file of files.filter((one) => one.startsWith(AREAS) && !one.endsWith('/index.ts'))) {
    const [area] = Object.values((await import(join(SOURCES, file))) as Record<string, object>);
    for (const english of Object.keys(area!)) {
      assert.equal(seen.get(english), undefined, `"${english}" is in ${file}, too: move it to common.ts`);
      seen.set(english, file);
    }
  }
});

test('Catalogue: each text of charts and messages is used', () => {
  const words = texts.get('card/words.ts')!;
  for (const [folder, catalogue] of [['charts', charts] as const, ['core/watch', messages] as const]) {
    const directory = join(import.meta.dirname, '../../src', folder);
    const source = filesIn(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
    const unused = Object.keys(catalogue).filter((english) => !isIn([...source, words].join('\n'), english));
    assert.deepEqual(unused, [], folder);
  }
});

test('Catalogue: each text of the server is one that it says', () => {
  const directory = join(import.meta.dirname, '../../src/core');
  const sources = filesIn(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
  const source = sources.join('\n');
  for (const english of Object.keys(server)) {
    const fixed = english.split(/\{\w+\}|; | for agent |\.$/).filter((part) => part.length > 3);
    assert.deepEqual(
      fixed.filter((part) => !source.includes(part)),
      [],
      english,
    );
  }
});

test('Catalogue: sentences of the server are translated one by one, unknown ones stay', () => {
  const note = 'No event named "a.b (c)" was ever recorded. Nearest known names: "x", "y". So be it.';
  assert.equal(
    serverText(note),
    'Nenhum evento chamado "a.b (c)" foi registrado até agora. Nomes conhecidos mais próximos: "x", "y". So be it.',
  );
  assert.equal(serverText('must have at most 200 characters'), 'deve ter no máximo 200 caracteres');
});

function isIn(source: string, text: string): boolean {
  return [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`, `\`${text}\``].some((quoted) => source.includes(quoted));
}
