import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markedParts, withoutOverlap } from '../../portal/src/pages/knowledge/marks.ts';
import { filterOf, tokensOf, windowAround } from '../../portal/src/pages/knowledge/state.ts';
import { outcomeOf } from '../../portal/src/pages/knowledge/uploads/outcome.ts';
import { type NewUpload, type SendOutcome, UploadQueue } from '../../portal/src/pages/knowledge/uploads/queue.ts';
import { wordsIn } from '../../src/core/knowledge/terms.ts';

const marked = (text: string, query: string) =>
  markedParts(text, wordsIn(query))
    .map(({ text: part, isMarked }) => (isMarked ? `[${part}]` : part))
    .join('');

test('marks: whole words in any case and with any accents, and nothing else', () => {
  assert.equal(
    marked('A Refund, refunds; CRÈME brûlée', 'refund creme brulee'),
    'A [Refund], refunds; [CRÈME] [brûlée]',
  );
  assert.equal(marked('no word of it', 'zebra'), 'no word of it');
  assert.equal(marked('A plan b of 7', 'a plan b 7'), 'A [plan] b of [7]', 'one letter is everywhere');
  assert.equal(marked('', 'x'), '');
  assert.equal(marked('返金は五日以内です', '返金'), '[返金]は五日以内です');
});

test('marks: the parts together are the text', () => {
  for (const text of ['a b a', 'ﬁne ﬁsh', 'x\u0301y', '日本語テキスト 日本']) {
    const parts = markedParts(text, wordsIn('a fish 日本語 y'));
    assert.equal(parts.map((part) => part.text).join(''), text);
  }
});

test('withoutOverlap: a passage leaves out what it repeats of the one before', () => {
  assert.equal(withoutOverlap('One. Two is here and more.', 'Two is here and more. Three.'), 'Three.');
  assert.equal(withoutOverlap('One.', 'Two.'), 'Two.');
  assert.equal(withoutOverlap('ends with a', 'a begins'), 'a begins', 'a short repetition is chance');
  assert.equal(withoutOverlap(undefined, 'First.'), 'First.');
});

test('filterOf: pairs and JSON become a filter, others say what is wrong', () => {
  assert.deepEqual(filterOf(' '), { filter: undefined });
  assert.deepEqual(filterOf('lang=en, team = a=b'), { filter: { lang: 'en', team: 'a=b' } });
  assert.deepEqual(filterOf('{"year": {"gte": 2024}}'), { filter: { year: { gte: 2024 } } });
  assert.deepEqual(filterOf('{"year"'), { problem: 'json' });
  for (const text of ['lang', 'lang=', '=en', 'a=b,']) assert.deepEqual(filterOf(text), { problem: 'pair' }, text);
});

test('windowAround: a document opens with the cited passage among its neighbours', () => {
  assert.deepEqual(['7', '1', undefined, '-3', 'x'].map(windowAround), [5, 0, 0, 0, 0]);
  assert.equal(tokensOf(10), 5_120);
});

test('outcomeOf: only an answer that names a time asks to be asked again', () => {
  const error = (statusCode: number, message: string) => JSON.stringify({ statusCode, error: 'x', message });
  const answer = (status: number, text: string, retryAfter: string | null = null) =>
    outcomeOf({ status, text, retryAfter });
  assert.deepEqual(answer(202, '{"jobId":"x","notes":["n"]}'), { state: 'sent', notes: ['n'] });
  assert.deepEqual(answer(202, '{"jobId":"x"}'), { state: 'sent', notes: [] });
  assert.deepEqual(answer(503, error(503, 'busy'), '30'), { state: 'busy', seconds: 30 });
  assert.deepEqual(answer(429, error(429, 'The quota is used up.')), {
    state: 'refused',
    message: 'The quota is used up.',
  });
  assert.deepEqual(answer(408, error(408, 'slow')), { state: 'broken' });
  assert.deepEqual(answer(502, '<html>'), { state: 'refused', message: 'The request failed. Try again.' });
});

/** A queue whose requests and pauses end when the test says so. */
function heldQueue() {
  const sending: {
    path: string;
    signal: AbortSignal;
    onProgress(bytes: number): void;
    end(outcome: SendOutcome): void;
  }[] = [];
  const pauses: { seconds: number; end(): void }[] = [];
  let sent = 0;
  const queue = new UploadQueue({
    send: ({ path }, { onProgress, signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ state: 'cancelled' }));
        sending.push({ path, signal, onProgress, end: resolve });
      }),
    pause: (seconds) => new Promise((resolve) => void pauses.push({ seconds, end: resolve })),
    onSent: () => {
      sent += 1;
    },
  });
  const states = () => queue.list().map(({ path, state }) => `${path} ${state}`);
  return { queue, sending, pauses, states, sent: () => sent };
}

const upload = (path: string, members: Partial<NewUpload> = {}): NewUpload => ({
  ...{ store: 'manuals', path, file: { size: 10 } as File, fields: {} },
  ...members,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('UploadQueue: three at once, and one that fails holds up no other', async () => {
  const { queue, sending, states, sent } = heldQueue();
  queue.add(['a', 'b', 'c', 'd'].map((path) => upload(path)));
  assert.deepEqual(states(), ['a sending', 'b sending', 'c sending', 'd waiting']);
  assert.ok(queue.isBusy);
  sending[0]!.onProgress(4);
  assert.equal(queue.list()[0]!.sentBytes, 4);
  sending[1]!.end({ state: 'broken' });
  await turn();
  assert.deepEqual(states(), ['a sending', 'b broken', 'c sending', 'd sending']);
  for (const index of [0, 2, 3]) sending[index]!.end({ state: 'sent', notes: [] });
  await turn();
  assert.deepEqual(states(), ['a sent', 'b broken', 'c sent', 'd sent']);
  assert.ok(!queue.isBusy);
  queue.retryAll('other');
  assert.equal(sending.length, 4);
  queue.retryAll('manuals');
  assert.deepEqual(states()[1], 'b sending');
  sending[4]!.end({ state: 'sent', notes: ['n'] });
  await turn();
  assert.equal(sent(), 4);
  queue.forgetSent('manuals');
  assert.deepEqual(states(), []);
});

test('UploadQueue: a busy server is asked again when it said', async () => {
  const { queue, sending, pauses, states } = heldQueue();
  queue.add([upload('a')]);
  sending[0]!.end({ state: 'busy', seconds: 30 });
  await turn();
  assert.deepEqual([states(), pauses.map(({ seconds }) => seconds)], [['a busy'], [30]]);
  pauses[0]!.end();
  await turn();
  assert.deepEqual(states(), ['a sending']);
});

test('UploadQueue: a removed file is not sent on, and a refused one never', async () => {
  const { queue, sending, states } = heldQueue();
  queue.add([upload('a'), upload('b', { refusal: 'Too large.' })]);
  assert.deepEqual([states(), queue.list()[1]!.message], [['a sending', 'b refused'], 'Too large.']);
  let changes = 0;
  const stop = queue.subscribe(() => {
    changes += 1;
  });
  queue.remove(queue.list()[0]!.id);
  assert.ok(sending[0]!.signal.aborted);
  await turn();
  assert.deepEqual(states(), ['b refused']);
  stop();
  queue.remove(queue.list()[0]!.id);
  assert.deepEqual([states(), changes > 0, sending.length], [[], true, 1]);
});
