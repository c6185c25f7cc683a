import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { chatApp } from '../support/chat.ts';
import { fencesOf } from '../support/docs.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('README.md: the example of the client runs as it stands', async (t) => {
  const app = await chatApp(t);
  const { text: example } =
    fencesOf('../README').find(({ language }) => language === 'js') ?? assert.fail('no example');
  const source = example.replace('http://127.0.0.1:3000', app.url).replace('ar_FULL', app.key);
  const program = spawn(process.execPath, ['--input-type=module', '--eval', source], { cwd: ROOT });
  const [said, problems] = await Promise.all([text(program.stdout), text(program.stderr)]);
  assert.deepEqual([said, problems], ['Olá mundo 🌍', '']);
});
