import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cut, examplesIn, PREVIEWED, previewOf, turnsOf } from '../../portal/src/pages/training/examples.ts';
import { fileNameOf, formatOf, REASONS } from '../../portal/src/pages/training/formats.ts';
import { SKIP_REASONS } from '../../src/core/agents/reviews/training/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { browserTest, rareBrowserTest } from '../support/browser.ts';
import { portalPage } from '../support/portal.ts';
import { sent } from './executions-support.ts';
import { announced, assertFits, focused } from './support.ts';

const PATH = '/training';
const COMMENT = 'What the reviewer saw.';
const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp.exe {"training_examples":[{}]';

/** Eight recorded executions, rated good, bad and corrected, needs improvement in turn; and one that was not recorded. */
async function reviewed(app: TestApp): Promise<void> {
  for (let index = 0; index < 8; index++) {
    const messages = [{ role: 'user', content: `Question ${index} ${HOSTILE}` }];
    await sent(app, 'POST', '/executions', { id: `run-${index}`, messages, output: `Answer ${index}` });
    const rating = ['good', 'bad', 'needs_improvement'][index % 3];
    const tags = index === 0 ? ['delivery'] : [];
    const { id } = await sent(app, 'POST', `/executions/run-${index}/reviews`, { rating, tags, comment: COMMENT });
    if (rating === 'bad') await sent(app, 'PATCH', `/reviews/${id}`, { correctedOutput: `Correction ${index}` });
  }
  await sent(app, 'POST', '/executions/unrecorded/reviews', { rating: 'good', comment: COMMENT });
}

browserTest('Training data: filters and format in the address, what is left out, first lines, file', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  const page = await portalPage(t, app, { path: PATH });
  await page.getByRole('heading', { name: 'No reviews yet' }).waitFor();
  await assertFits(page);
  await reviewed(app);
  await page.reload();
  await page.getByText('6 lines from 6 of 9 reviews. 3 are left out:').waitFor();
  const left = page.getByRole('list', { name: 'Reviews that are left out' }).getByRole('listitem');
  assert.deepEqual(await left.allInnerTexts(), [
    '2 reviews: The answer was not rated good, and nobody has corrected it.',
    '1 review: The execution was not recorded.',
  ]);
  const conversation = page.getByRole('region', { name: 'Line 1 as a conversation' });
  await conversation.getByText(`Question 0 ${HOSTILE}`).waitFor();
  await page
    .getByRole('region', { name: 'Line 1 as it is written' })
    .getByText('{"messages":[{"role":"user"')
    .waitFor();
  await page.getByText('5 of 6 lines').waitFor();
  await assertFits(page);

  await page.getByRole('radio', { name: /^Preference \(DPO\): 3 lines/ }).check();
  await conversation.getByText('Correction 1').waitFor();
  await conversation.getByText('Other answer').waitFor();
  await page.getByLabel('Rating').selectOption('Good');
  await page.getByText('0 lines from 0 of 4 reviews. 4 are left out:').waitFor();
  const button = page.getByRole('button', { name: 'Download training-dpo.jsonl' });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await page.getByRole('radio', { name: /^Good or bad \(KTO\): 3 lines/ }).check();
  await conversation.getByText('Answer, labelled good').waitFor();
  await page.getByLabel('Tag').fill('delivery');
  await page.getByLabel('Tag').press('Enter');
  await page.getByText('1 line from 1 of 1 review.').waitFor();
  assert.equal(new URL(page.url()).search, '?format=kto-jsonl&rating=good&tag=delivery');
  await page.reload();
  await page.getByText('1 line from 1 of 1 review.').waitFor();
  await page.getByLabel('Created through').fill('2020-01-01');
  await page.getByRole('heading', { name: 'No review matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await focused(page.getByLabel('Rating'));

  await page.getByRole('radio', { name: /^Conversations: 9 examples/ }).check();
  await page.getByRole('region', { name: 'Example 1 as a conversation' }).getByText('Answer 0').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download training-openai-conversational.json' }).click();
  const file = await downloading;
  assert.equal(file.suggestedFilename(), 'training-openai-conversational.json');
  const { total, training_examples: examples } = JSON.parse(readFileSync(await file.path(), 'utf8'));
  assert.deepEqual([total, examples.length], [9, 9]);
  await announced(page, /training-openai-conversational\.json is complete: [\d.]+ KB/);
});

browserTest('Training data: a refused and a broken download say so and save nothing', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await reviewed(app);
  const page = await portalPage(t, app, { path: PATH, expected: /status of 503|ERR_/ });
  await page.addInitScript(BREAKABLE);
  await page.reload();
  const button = page.getByRole('button', { name: 'Download training-openai.jsonl' });
  await page.getByText('5 of 6 lines').waitFor();
  let saved = 0;
  page.on('download', () => (saved += 1));
  const busy = { statusCode: 503, error: 'Service Unavailable', message: 'Too many exports are under way. Try again.' };
  await page.route('**/export/training-data?*', (route) => route.fulfill({ status: 503, json: busy }));
  await button.click();
  await page.getByRole('alert').getByText('Too many exports are under way. Try again.').waitFor();
  await page.unroute('**/export/training-data?*');
  await page.evaluate('window.breaks = true');
  await button.click();
  await page.getByRole('alert').getByText('The export broke off before its end, and nothing was saved.').waitFor();
  assert.equal(saved, 0);
  await assertFits(page);
});

/** Runs before the page: while `breaks` is set, answers break off after their first bytes. */
const BREAKABLE = `{
  const fetched = window.fetch;
  window.fetch = async (...input) => {
    const answer = await fetched(...input);
    if (!window.breaks) return answer;
    const first = (await answer.body.getReader().read()).value;
    const pull = (controller) => controller.error(new TypeError('network error'));
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue(first), pull }), answer);
  };
}`;

rareBrowserTest('Training data: by keyboard, in both themes and widths', async (t) => {
  const app = await testApp(t, { rateLimit: 0 });
  await reviewed(app);
  for (const width of [320, 1280]) {
    const page = await portalPage(t, app, { path: PATH, role: 'VIEWER', viewport: { width, height: 800 } });
    await page.getByRole('radio', { name: /^Supervised/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('region', { name: 'Line 1 as a conversation' }).getByText('Preferred answer').waitFor();
    await page.locator('summary', { hasText: 'Line 2' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Line 2 as it is written' }).waitFor();
    await assertFits(page);
    await page.close();
  }
});

function bodyOf(...chunks: string[]) {
  let isCancelled = false;
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[read];
        read += 1;
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen: () => ({ isCancelled, read }) };
}

test('Training data: a preview reads the first lines and cancels the rest', async () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `{"line":"${index} é"}\n`);
  const { body, seen } = bodyOf(...lines);
  const { examples, isCut } = await previewOf(body, 'openai-jsonl');
  assert.deepEqual([examples.length, isCut], [PREVIEWED, false]);
  assert.equal(examples[4], '{"line":"4 é"}');
  assert.ok(seen().isCancelled);
  assert.ok(seen().read < 20, `${seen().read}`);
  const few = await previewOf(bodyOf('{"a":1}\n{"b"', ':2}\n').body, 'kto-jsonl');
  assert.deepEqual(few, { examples: ['{"a":1}', '{"b":2}'], isCut: false });
  const long = bodyOf('{"a":1}\n', ...Array(100).fill('x'.repeat(100_000)));
  assert.deepEqual(await previewOf(long.body, 'dpo-jsonl'), { examples: ['{"a":1}'], isCut: true });
  assert.ok(long.seen().isCancelled && long.seen().read < 20);
});

test('Training data: whole examples of a document, wherever it is cut', () => {
  const examples = [{ text: '}]{"\\' }, { list: [{}, [{}]], text: '"training_examples":[{' }, {}];
  const text = JSON.stringify({ format: 'x', training_examples: examples, total: 3 });
  const whole = examplesIn(text, 'openai-conversational');
  assert.deepEqual(
    whole.map((one) => JSON.parse(one)),
    examples,
  );
  for (let end = 0; end < text.length; end++) {
    const found = examplesIn(text.slice(0, end), 'openai-conversational');
    assert.deepEqual(found, whole.slice(0, found.length));
  }
});

test('Training data: examples of each format as turns', () => {
  const call = { function: { name: 'find', arguments: '{"a":1}' } };
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
  const turns = (example: object) => turnsOf(JSON.stringify(example)).map(({ who, text }) => `${who}: ${text}`);
  assert.deepEqual(
    turns({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, image, { type: 'file' }] },
        { role: 'assistant', weight: 0, tool_calls: [call] },
        { role: 'tool', content: 'done' },
        { role: 'assistant', content: 'Yes' },
      ],
    }),
    [
      'User: Look\n[image https://example.com/a.png]\n[file]',
      'Assistant, not taught: Calls find({"a":1})',
      'Tool: done',
      'Assistant: Yes',
    ],
  );
  const [asked, answered] = [[{ role: 'user', content: '?' }], [{ role: 'assistant', content: 'A' }]];
  const preference = { input: { messages: asked }, preferred_output: answered, non_preferred_output: answered };
  assert.deepEqual(turns(preference), ['User: ?', 'Preferred answer: A', 'Other answer: A']);
  const unpaired = { prompt: asked, completion: answered };
  assert.deepEqual(turns({ ...unpaired, label: false }), ['User: ?', 'Answer, labelled bad: A']);
  assert.deepEqual(turns({ ...unpaired, label: true }), ['User: ?', 'Answer, labelled good: A']);
  for (const broken of ['', 'null', '[]', '{"messages":1}', '{"messages":[null]}']) turnsOf(broken);
});

test('Training data: the page says why a review is left out in the words of the API', () => {
  assert.deepEqual(REASONS, SKIP_REASONS);
});

test('Training data: names of files and formats, and texts that are cut', () => {
  assert.equal(fileNameOf('kto-jsonl'), 'training-kto.jsonl');
  assert.equal(formatOf('dpo-jsonl'), 'dpo-jsonl');
  assert.equal(formatOf('constructor'), 'openai-jsonl');
  assert.equal(cut('abcdef', 6), 'abcdef');
  assert.equal(cut('abc😀', 4), 'abc\uFFFD … and 1 more character');
});
