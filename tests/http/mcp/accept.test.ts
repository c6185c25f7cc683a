import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { LIST_TOOLS } from '../../support/oauth.ts';
import { appOfThisFile } from '../../support/shared.ts';

const sharedApp = appOfThisFile();

/** Without the headers that `fetch` adds. */
async function statusFor(method: string, accept: string | undefined): Promise<number> {
  const { url, key } = await sharedApp();
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/mcp`, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject).end(method === 'POST' ? JSON.stringify(LIST_TOOLS) : undefined);
  });
}

test('MCP Accept: media ranges, weights, parameters and case count as HTTP has them', async () => {
  for (const accept of [
    undefined,
    '*/*',
    'application/*, text/*',
    'application/json, text/*',
    'application/*;q=0.2,text/event-stream',
    'Application/JSON, TEXT/Event-Stream',
    'application/json;q=0.9, text/event-stream;q=0.8',
    'application/json; charset=utf-8, text/event-stream; charset="utf-8"; q=0.5',
    'text/html, image/png, */*;q=0.1',
    'text/html;level=1, */*; q=0.001',
    ' text/event-stream ,, application/json ',
  ]) {
    assert.equal(await statusFor('POST', accept), 200, accept);
  }
  for (const accept of [
    'text/html',
    'application/json',
    'text/*',
    'application/*',
    '*/*;q=0',
    'application/json;q=0, */*',
    '*/*, text/event-stream;q=0.0',
    'application/jsonp, text/event-stream',
    'x/application/json, x/text/event-stream',
    'nonsense',
  ]) {
    assert.equal(await statusFor('POST', accept), 406, accept);
  }
});
