import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { newDataDirectory } from '../support/process.ts';
import { runCommand, type Said } from '../support/shell.ts';

/** The commands on a data directory of its own; no output of any may hold the secret. */
export function runnerOf(t: TestContext, secret: string) {
  const dataDir = newDataDirectory(t);
  const run = async (args: string[], input: unknown = ''): Promise<Said> => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    const said = await runCommand([...args, '--data-dir', dataDir], { input: text });
    assert.ok(!`${said.stdout}${said.stderr}`.includes(secret), `${said.stdout}${said.stderr}`);
    return { ...said, stderr: said.stderr.replace(/^There was no .*\n/, '') };
  };
  return { dataDir, run, soon: `A server that runs on ${dataDir} uses this within a second.\n` };
}
