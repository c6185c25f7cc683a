import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRows } from '../../src/importing/send.ts';

async function* rows() {
  yield { line: 1, event: { eventName: 'bought' } };
}

/** Sends one row to a server with these answers; returns the number of requests and the result. */
async function sending(...answers: Response[]) {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return answers[asked.length - 1] ?? assert.fail('asked too often');
  };
  const result = await sendRows(rows(), { url: 'http://x', apiKey: 'key', fetch }, 'import', () => undefined).catch(
    (error: Error) => error.message,
  );
  return { asked: asked.length, result };
}

const refused = (headers: Record<string, string>) => Response.json({ message: 'The quota.' }, { status: 429, headers });

test('sendRows: a permanent refusal ends the import at once, with its message', async () => {
  const { asked, result } = await sending(refused({}));
  assert.equal(asked, 1);
  assert.match(String(result), /^The server refused a batch: 429 The quota\. 0 events are in/);
});

test('sendRows: a refusal with Retry-After is retried', async () => {
  const { asked, result } = await sending(
    refused({ 'retry-after': '0' }),
    Response.json({ accepted: 1, duplicates: 0, rejected: [], receipt: 'r' }, { status: 202 }),
    Response.json({}),
  );
  assert.equal(asked, 3);
  assert.deepEqual(result, { accepted: 1, duplicates: 0, rejected: [] });
});
