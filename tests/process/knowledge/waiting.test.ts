import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connected, form, head, part, STORE } from '../../http/body/upload-support.ts';
import { INGEST } from '../../support/knowledge.ts';
import { createKey, eventually, newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

const SLOTS = 4;
const WHOLE = form(STORE, part('file', 'a text', 'a.txt'));

rareTest('serve: SIGTERM answers waiting uploads with 503 and lets the others end', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  const send = async (body: Buffer) => {
    const client = await connected(t, Number(new URL(server.url).port));
    const headers = head(WHOLE.length, { 'x-api-key': key, host: '127.0.0.1' });
    client.socket.write(headers.replace(/^POST \S+/, `POST ${INGEST}`));
    client.socket.write(body);
    return client;
  };
  const sending = await Promise.all(Array.from({ length: SLOTS }, () => send(WHOLE.subarray(0, -10))));
  await eventually('they are read', async () => readdirSync(join(dataDir, 'uploads')).length === SLOTS, 10_000);
  const waiting = await send(WHOLE);
  // Its request is there once that of a later connection is answered.
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  const stopped = server.end('SIGTERM');
  await eventually('it is answered', async () => waiting.status() === 503, 5_000);
  assert.match(
    waiting.received(),
    /retry-after: 1\r\n[\s\S]*The server was stopped before the file was read; nothing was stored/i,
  );
  for (const { socket } of sending) socket.write(WHOLE.subarray(-10));
  await eventually('they end', async () => sending.every(({ status }) => status() === 202), 5_000);
  assert.equal((await stopped).code, 0);
});
