import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { newDataDirectory, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const skip = existsSync('/proc/self/task') ? false : 'only Linux tells what threads a process has';

rareTest('serve: the thread pool fits all concurrent queries, flushes and compactions', { skip }, async (t) => {
  const { pid } = await startServer(t, newDataDirectory(t));
  const names = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8'),
  );
  // Four queries, a flush and a compaction, and files and passwords beside them.
  assert.ok(names.filter((name) => name.startsWith('libuv-worker')).length >= 12, names.join(''));
});
