import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendSlack, slackText } from '../../src/senders/webhook.ts';
import { contextOf, MESSAGE, startSink } from './support.ts';

test('sendSlack: the body is what incoming webhooks take', async (t) => {
  const sink = await startSink(t, (response) => response.end('ok'));
  const target = { type: 'slack' as const, url: `${sink.url}/services/T0/B0/x` };
  assert.deepEqual(await sendSlack(target, MESSAGE, contextOf(t)), { kind: 'sent' });
  const [{ method, path, headers, body } = assert.fail()] = sink.received;
  assert.deepEqual([method, path, headers['content-type']], ['POST', '/services/T0/B0/x', 'application/json']);
  assert.deepEqual(JSON.parse(body), { text: '*Too few orders*\norders: 3, fewer than 10\nyesterday: 12' });
});

test('slackText: values of events mention nobody and link nowhere', () => {
  const text = slackText({
    title: 'A *b*\n<!channel>',
    text: '<https://evil.example|x> & @everyone @Here @allan @all',
  });
  assert.equal(
    text,
    '*A ∗b∗ &lt;!channel&gt;*\n&lt;https://evil.example|x&gt; &amp; @\u200beveryone @\u200bHere @allan @\u200ball',
  );
});

test('slackText: has at most 2,000 characters, and ends within no escape', () => {
  for (let length = 1_980; length < 2_010; length += 1) {
    const text = slackText({ title: 't', text: `${'a'.repeat(length)}<😀${'b'.repeat(100)}` });
    assert.ok(text.length <= 2_000 && text.isWellFormed(), String(length));
    assert.match(text, /(a|&lt;|😀|b|\ufffd)\n…$/);
  }
  assert.equal(slackText({ title: 't', text: 'a'.repeat(1_996) }).length, 2_000);
});
