import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNames } from '../dashboards/support.ts';
import { type Desk, newDesk, REVIEWS } from './support.ts';

const found = async (desk: Desk, search: string, match = ''): Promise<string[]> => {
  const { reviews, total } = await desk.list(`limit=100&search=${encodeURIComponent(search)}&match=${match}`);
  assert.equal(total, reviews.length);
  return reviews.map(({ comment }: { comment: string }) => comment);
};

test('GET /reviews?search: all words by their stems, ignoring accents', async () => {
  const desk = await newDesk();
  const [late, wrong] = ['A entrega atrasou três dias.', 'INFORMAÇÃO errada sobre as entregas'];
  const [singular, ...plurals] = ['O cartão do cliente', 'Erros em mensagens'];
  for (const comment of [singular!, ...plurals, late, wrong]) await desk.review({ comment });
  for (const [search, ...comments] of [
    ['entrega', wrong, late],
    ['ENTREGAS', wrong, late],
    ['informacoes', wrong],
    ['informação', wrong],
    ['atrasar entrega', late],
    ['entrega, atrasou!', late],
    ['atraso informação'],
    ['entre'],
    ['erro', ...plurals],
    ['mensagem', ...plurals],
    ['cartões', singular],
  ] as const) {
    assert.deepEqual(await found(desk, search), comments, search);
  }
});

test('GET /reviews?match: exact compares words as written, in either case', async () => {
  const desk = await newDesk();
  const [one, many] = ['Não confirmou a Solução', 'As soluções e a solucao <b>'];
  for (const comment of [one, many]) await desk.review({ comment });
  for (const [search, exact, stem] of [
    ['SOLUÇÃO', [one], [many, one]],
    ['solucao', [many], [many, one]],
    ['soluções', [many], [many, one]],
    ['soluça\u0303o', [one], [many, one]],
    ['solu', [], []],
    ['não', [one], [one]],
    ['a não solução', [one], [many, one]],
    ['"solução" b', [], [many]],
    ['soluções <b>', [many], [many, one]],
    ['?!', [], []],
  ] as const) {
    assert.deepEqual(await found(desk, search, 'exact'), exact, search);
    assert.deepEqual(await found(desk, search, 'stem'), stem, search);
    assert.deepEqual(await found(desk, search), stem, search);
  }
  assert.equal((await desk.list('match=exact')).total, 2, 'without a search it changes nothing');
  const refused = await desk.request('GET', `${REVIEWS}?search=a&match=fuzzy`);
  assertNames(refused, 'match');
  assert.match(JSON.stringify(refused.body), /must be one of stem, exact/);
});

test('GET /reviews?search: only comments are searched', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({ tags: ['girafa'], agentId: 'girafa' }, 'girafa');
  await desk.right('PATCH', `${REVIEWS}/${id}`, {
    actionTaken: 'girafa',
    resolutionNotes: 'girafa',
    correctedOutput: 'girafa',
  });
  assert.deepEqual(await found(desk, 'girafa'), []);
  for (const term of ['pending_review', 'support', 'bad', 'medium', 'x']) assert.deepEqual(await found(desk, term), []);
});

test('GET /reviews?search: a thousand characters at most', async () => {
  const desk = await newDesk();
  const distinct = Array.from({ length: 250 }, (_, index) => `${(index + 1_000).toString(36)}`).join(' ');
  const words = Array.from({ length: 500 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  await desk.review({ comment: distinct });
  await desk.review({ comment: words.join(' ') });
  assert.ok(distinct.length > 700 && distinct.length <= 1_000);
  assert.deepEqual(await found(desk, distinct), [distinct]);
  assert.deepEqual(await found(desk, `${distinct} nada`), []);
  assert.deepEqual(await found(desk, words.join(' ')), [words.join(' ')], '500 distinct words');
  assert.deepEqual(await found(desk, 'dez '.repeat(250)), []);
  assert.deepEqual(await found(desk, 'x'.repeat(1_000)), []);
  assert.deepEqual(await found(desk, '😀'.repeat(500)), []);
  for (const long of ['x'.repeat(1_001), `${distinct} ${distinct}`, 'palavra '.repeat(1_500)]) {
    assertNames(await desk.request('GET', `${REVIEWS}?search=${encodeURIComponent(long)}`), 'search');
  }
  const beyond = await desk.request('GET', `${REVIEWS}?search=${'x'.repeat(100_000)}`);
  assert.equal(beyond.status, 431, 'more than any address may have');
});
