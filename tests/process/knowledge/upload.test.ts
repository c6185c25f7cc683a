import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BOUNDARY, END, MEGABYTE, PATH, part, STORE } from '../../http/body/upload-support.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { rareTest } from '../../support/rare.ts';
import { canLimitFiles, limitFiles } from '../file-limit.ts';

const CHILD = fileURLToPath(new URL('./upload-child.ts', import.meta.url));
const skip = canLimitFiles() ? false : 'prlimit of util-linux is not here: files cannot be limited from outside';

async function start(t: TestContext) {
  const directory = join(temporaryDirectory(t), 'uploads');
  const child = spawn(process.execPath, [CHILD, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [port] = await once(child.stdout, 'data');
  const upload = async (megabytes: number) => {
    const response = await fetch(`http://127.0.0.1:${Number(port)}${PATH}`, {
      method: 'POST',
      headers: { 'x-api-key': 'one-key', 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: ReadableStream.from(formOf(megabytes)),
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as Told };
  };
  return { pid: child.pid!, upload, files: () => readdirSync(directory) };
}

interface Told {
  size: number;
  peakBytes: number;
  message?: string;
}

function* formOf(megabytes: number) {
  const megabyte = Buffer.alloc(MEGABYTE, 'x');
  yield STORE;
  yield part('file', '', 'large.txt').subarray(0, -2);
  for (let sent = 0; sent < megabytes; sent++) yield megabyte;
  yield Buffer.from('\r\n');
  yield END;
}

rareTest('Uploads: a file of 300 MB takes no more memory than one of 30 MB', async (t) => {
  const { upload } = await start(t);
  // The first fills what is kept for reuse.
  const small = (await upload(30)).body;
  const large = (await upload(300)).body;
  assert.deepEqual([small.size, large.size], [30 * MEGABYTE, 300 * MEGABYTE]);
  const more = (large.peakBytes - small.peakBytes) / MEGABYTE;
  assert.ok(more < 60, `${Math.round(more)} MB more`);
});

rareTest('Uploads: a full disk refuses them, leaves nothing, and accepts them once freed', { skip }, async (t) => {
  const { pid, upload, files } = await start(t);
  limitFiles(pid, 4 * MEGABYTE);
  for (let again = 0; again < 3; again++) {
    const { status, body } = await upload(60);
    assert.equal(status, 503);
    assert.match(body.message!, /^There is not enough room in .*uploads\.$/);
    assert.deepEqual(files(), []);
  }
  limitFiles(pid, 'unlimited');
  assert.equal((await upload(60)).status, 202);
});
