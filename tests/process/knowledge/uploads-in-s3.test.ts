import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { accepted, ended, jobOf, keptIn } from '../../support/knowledge.ts';
import { createKey, eventually, newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { S3_CREDENTIALS, startS3 } from '../../support/s3.ts';

const ROWS = 4_000;
const CONTENT = `id,text\n${Array.from({ length: ROWS }, (_, index) => `${index},word ${index}`).join('\n')}\n`;

rareTest(
  'Uploads in S3: a job of a killed server goes on in another data directory',
  { timeout: 90_000 },
  async (t) => {
    const s3 = await startS3(t);
    const environment = {
      AGENT_RUNTIME_EMBEDDER: 'hash',
      AGENT_RUNTIME_UPLOADS_URL: s3.url('team'),
      AGENT_RUNTIME_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      AGENT_RUNTIME_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    };
    const [first, second] = [newDataDirectory(t), newDataDirectory(t)];
    const { key } = await createKey(first);
    const server = await startServer(t, first, { environment });
    const desk = { url: server.url, key };
    const jobId = await accepted(desk, { name: 'a.csv', content: CONTENT });
    await eventually('some of it is stored', async () => (await jobOf(desk, jobId)).processedChunks > 0, 20_000);
    await server.end('SIGKILL');
    assert.ok(keptIn(first, 'manuals').chunks.length < ROWS, 'it was in the midst of it');
    assert.deepEqual([s3.keys().length, existsSync(join(first, 'uploads'))], [1, false]);
    cpSync(first, second, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const next = await startServer(t, second, { environment });
    const { status, processedChunks } = await ended({ url: next.url, key }, jobId);
    assert.deepEqual([status, processedChunks], ['completed', ROWS]);
    await next.end('SIGTERM');
    const rows = keptIn(second, 'manuals').chunks.map(({ row }) => row);
    assert.deepEqual(
      rows,
      Array.from({ length: ROWS }, (_, index) => index + 1),
    );
    assert.deepEqual([s3.keys(), s3.unfinished(), readdirSync(join(second, 'upload-copies'))], [[], [], []]);
  },
);
