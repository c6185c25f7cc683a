import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translator } from '../../src/language/translate.ts';

const PORTUGUESE = {
  Save: 'Salvar',
  'Open|a review': 'Aberta',
  'Open|a page': 'Abrir',
  'Sent to {hosts} as {user}': 'Enviada como {user} para {hosts}',
  '{count} row': { one: '{count} linha', other: '{count} linhas' },
  '{count} rows of {file}': { one: '{count} linha de {file}', other: '{count} linhas de {file}' },
};

const portuguese = translator<typeof PORTUGUESE>('pt-BR', PORTUGUESE);
const english = translator<typeof PORTUGUESE>('en', null);

test('Translator: a text has its values where its language puts them', () => {
  const values = { hosts: 'a.example', user: 'ana' };
  assert.equal(portuguese('Save'), 'Salvar');
  assert.equal(portuguese('Sent to {hosts} as {user}', values), 'Enviada como ana para a.example');
  assert.equal(english('Sent to {hosts} as {user}', values), 'Sent to a.example as ana');
});

test('Translator: a context tells two meanings apart, unseen', () => {
  assert.deepEqual([portuguese('Open|a review'), portuguese('Open|a page')], ['Aberta', 'Abrir']);
  assert.deepEqual([english('Open|a review'), english('Open|a page')], ['Open', 'Open']);
});

test('Translator: the plural form and the digits are those of the language', () => {
  const rows = (say: typeof english, count: number) =>
    say.count(count, '{count} row of {file}', '{count} rows of {file}', { file: 'a.csv' });
  assert.equal(rows(english, 1), '1 row of a.csv');
  assert.equal(rows(english, 0), '0 rows of a.csv');
  assert.equal(rows(english, 12_000), '12,000 rows of a.csv');
  // In Brazil zero is singular.
  assert.equal(rows(portuguese, 0), '0 linha de a.csv');
  assert.equal(rows(portuguese, 12_000), '12.000 linhas de a.csv');
});

test('Translator: a value is never read as a text with names', () => {
  assert.equal(english('Sent to {hosts} as {user}', { hosts: '{user}', user: '$&' }), 'Sent to {user} as $&');
});

test('Translator: parts keep values that are no text', () => {
  const link = { href: 'a' };
  assert.deepEqual(portuguese.parts('Sent to {hosts} as {user}', { hosts: link, user: 'ana' }), [
    'Enviada como ',
    'ana',
    ' para ',
    link,
    '',
  ]);
});
