import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { pngOf } from '../../src/pictures/entry.ts';
import type { Pictures } from '../../src/pictures/pictures.ts';
import { rareTest } from '../support/rare.ts';
import { cardTitled, newPictures, sizeOf, USUAL, withoutText } from './support.ts';

const SLOW = { ...USUAL, width: 1_600, height: 1_200, scale: 2 };
const RUNNING = 2;
const WAITING = 16;

async function threadsOf(pictures: Pictures): Promise<Worker[]> {
  return (await (pictures as unknown as { pool: { pool: Promise<{ threads: Worker[] }> } }).pool.pool).threads;
}

test('Pictures: a PNG has the requested size, and its text is drawn', async (t) => {
  const pictures = newPictures(t);
  for (const title of ['Orders', 'Receita às terças: ação', 'Έσοδα', 'Выручка']) {
    const card = cardTitled(title);
    const png = await pictures.png(card, USUAL);
    assert.deepEqual(sizeOf(png), [640, 360]);
    const svg = await pictures.svg(card, USUAL);
    assert.deepEqual(Buffer.from(png), Buffer.from(pngOf({ svg, scale: 1 })), 'the thread draws the same');
    assert.notDeepEqual(Buffer.from(png), Buffer.from(pngOf({ svg: withoutText(svg), scale: 1 })), title);
  }
  assert.deepEqual(sizeOf(await pictures.png(cardTitled('Orders'), { ...USUAL, scale: 2 })), [1_280, 720]);
});

test('Pictures: an SVG is drawn in a thread', async (t) => {
  const pictures = newPictures(t);
  assert.match(await pictures.svg(cardTitled('Orders'), USUAL), /^<svg[\s\S]*Orders/);
  assert.equal((await threadsOf(pictures)).length, 1);
});

test('Pictures: what a picture does not show makes no other PNG', async (t) => {
  const pictures = newPictures(t);
  const card = cardTitled('Orders');
  const later = { ...card, basis: { ...card.basis, cases: 'another handle', lastEventAt: '2026-03-02T00:00:00.000Z' } };
  const first = await pictures.png(card, USUAL);
  assert.equal(await pictures.png(later, USUAL), first);
  const more = { ...card, basis: { ...card.basis, matchedEvents: 2 } };
  assert.notDeepEqual(await pictures.png(more, USUAL), first);
});

test('Pictures: light and dark differ, and so does each size', async (t) => {
  const pictures = newPictures(t);
  const card = cardTitled('Orders');
  const variants = [USUAL, { ...USUAL, theme: 'dark' as const }, { ...USUAL, width: 641 }, { ...USUAL, scale: 2 }];
  const drawn = await Promise.all(variants.map((options) => pictures.png(card, options)));
  assert.equal(new Set(drawn.map((png) => Buffer.from(png).toString('base64'))).size, variants.length);
});

test('Pictures: a cached PNG is not drawn again, not even for another tenant', async (t) => {
  const pictures = newPictures(t);
  const first = await pictures.png(cardTitled('Orders'), USUAL);
  await pictures.close();
  assert.equal(await pictures.png(cardTitled('Orders'), USUAL), first);
  assert.equal(await pictures.png(cardTitled('Orders'), { ...USUAL, tenantId: 'other' }), first);
});

test('Pictures: while two are drawn and sixteen wait, one more is refused', async (t) => {
  const pictures = newPictures(t);
  const asked = Array.from({ length: RUNNING + WAITING }, (_, index) => pictures.png(cardTitled(`${index}`), USUAL));
  await nextTurn();
  await assert.rejects(pictures.png(cardTitled('one more'), USUAL), { code: 'unavailable', retryAfter: 1 });
  const ofAnother = await pictures.png(cardTitled('of another tenant'), { ...USUAL, tenantId: 'other' });
  assert.deepEqual(sizeOf(ofAnother), [640, 360], 'another tenant does not wait for them');
  for (const png of await Promise.all(asked)) assert.deepEqual(sizeOf(png), [640, 360]);
  await pictures.png(cardTitled('one more'), USUAL);
});

test('Pictures: equal requests share one drawing, which goes on while one waits', async (t) => {
  const pictures = newPictures(t);
  const controller = new AbortController();
  const others = Array.from({ length: RUNNING + 1 }, (_, index) => pictures.png(cardTitled(`${index}`), USUAL));
  const left = pictures.png(cardTitled('Orders'), USUAL, controller.signal);
  const asked = Array.from({ length: 40 }, () => pictures.png(cardTitled('Orders'), USUAL));
  await nextTurn();
  controller.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  const [first, ...equal] = await Promise.all(asked);
  for (const png of equal) assert.equal(png, first);
  await Promise.all(others);
});

test('Pictures: an aborted request leaves the queue', async (t) => {
  const pictures = newPictures(t);
  const controller = new AbortController();
  const asked = Array.from({ length: RUNNING + WAITING }, (_, index) =>
    pictures.png(cardTitled(`${index}`), SLOW, controller.signal),
  );
  await nextTurn();
  controller.abort(new Error('gone'));
  for (const ended of await Promise.allSettled(asked)) {
    assert.match(String(ended.status === 'rejected' && ended.reason), /gone/);
  }
  const next = Array.from({ length: WAITING }, (_, index) => pictures.png(cardTitled(`next ${index}`), USUAL));
  for (const png of await Promise.all(next)) assert.deepEqual(sizeOf(png), [640, 360]);
  await assert.rejects(pictures.png(cardTitled('aborted before'), USUAL, controller.signal), /gone/);
});

test('Pictures: after a thread died, the next picture is drawn', async (t) => {
  const pictures = newPictures(t);
  await pictures.png(cardTitled('first'), USUAL);
  const threads = await threadsOf(pictures);
  assert.ok(threads.length > 0);
  for (const thread of threads) await thread.terminate();
  assert.deepEqual(sizeOf(await pictures.png(cardTitled('second'), USUAL)), [640, 360]);
});

test('Pictures: text that no font covers still gives a picture', async (t) => {
  const pictures = newPictures(t);
  for (const title of ['売上 中文 매출', '😀', 'الإيرادات', '\u{10fffd}']) {
    assert.deepEqual(sizeOf(await pictures.png(cardTitled(title), USUAL)), [640, 360]);
  }
});

rareTest('Pictures: memory stays flat over 2,000 PNGs', { timeout: 300_000 }, async (t) => {
  const pictures = newPictures(t);
  const draw = async (from: number, to: number) => {
    for (let index = from; index < to; index += 2) {
      await Promise.all([index, index + 1].map((one) => pictures.png(cardTitled(`Orders ${one}`), USUAL)));
    }
    return process.memoryUsage.rss() / 1e6;
  };
  // The first 2,000 fill the cache, and the heap grows to its usual size.
  const before = await draw(0, 2_000);
  const after = await draw(2_000, 4_000);
  t.diagnostic(`${before.toFixed(0)} MB, then ${after.toFixed(0)} MB`);
  assert.ok(after - before < 60, `${before} MB, then ${after} MB`);
});
