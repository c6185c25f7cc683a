import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../support/app.ts';
import { whileOpen } from '../support/backup.ts';
import { type Fence, fencesOf } from '../support/docs.ts';
import { type Program, readyUrl, startProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand } from '../support/shell.ts';

/*
 * The shell examples of docs/operation.md, each run as it is written by an operator who stands in the directory that holds
 * ./data. What a text fence after one shows is what the command says, but for numbers, times and the place.
 */

/** The examples call the program by its name; what they say lies here. */
const PLACE = '/srv/agent-runtime';
/** Where the examples try a backup. */
const TRIAL = '/tmp/trial';

rareTest('docs/operation.md: its shell examples do what the page says', async (t) => {
  const operator = await operatorOf(t);
  const fences = fencesOf('operation');
  let compared = 0;
  for (const [index, fence] of fences.entries()) {
    if (fence.language !== 'sh' || fence.text.includes('aws ')) continue;
    const said = await operator.run(fence);
    const next = fences[index + 1];
    if (next?.language !== 'text') continue;
    compared += 1;
    assert.deepEqual(linesOf(said), linesOf(next.text), fence.text);
  }
  assert.deepEqual(
    [compared >= 3, operator.commands],
    [true, ['backup', 'restore', 'serve', 'secrets', 'erase', 'audit', 'doctor', 'compact', 'tenants']],
  );
});

test('docs/operation.md: every command has an example', () => {
  const shell = fencesOf('operation').filter(({ language }) => language === 'sh');
  for (const command of [
    'backup',
    'restore',
    'secrets rotate',
    'erase',
    'audit export',
    'doctor',
    'compact',
    'tenants set',
  ]) {
    assert.ok(
      shell.some(({ text }) => text.includes(`agent-runtime ${command}`)),
      command,
    );
  }
});

async function operatorOf(t: TestContext) {
  const place = realpathSync(temporaryDirectory(t));
  const trial = join(place, 'a trial');
  const key = await filled(join(place, 'data'));
  writeFileSync(join(place, 'passphrase.txt'), 'correct horse\n');
  const commands = new Set<string>();
  let server: { program: Program; url: string } | null = null;

  /** A server runs beside every command but those that need the directory for themselves. */
  const serve = async () => {
    const program = startProgram(t, ['serve', '--port', '0'], { cwd: place });
    server = { program, url: await readyUrl(program) };
    return server;
  };
  const stop = async () => {
    assert.equal((await server?.program.end('SIGTERM'))?.code ?? 0, 0);
    server = null;
  };
  const wordOf = (word: string): string => word.replace(TRIAL, trial);
  const run = async (line: string): Promise<string> => {
    const [program, command, ...rest] = line.split(/ +/).map(wordOf);
    if (program === 'curl') return asked((server ?? (await serve())).url, command!);
    assert.equal(program, 'agent-runtime', line);
    commands.add(command!);
    const args = [command!, ...rest];
    if (command === 'serve') {
      const tried = startProgram(t, args, { cwd: place });
      const answer = await fetch(`${await readyUrl(tried)}/api/v1/runtime/v1/observability/events/feed`, {
        headers: { 'x-api-key': key },
      });
      assert.ok(((await answer.json()) as { total: number }).total >= 37, 'the restored one answers');
      await tried.end('SIGTERM');
      return '';
    }
    const isAlone = command === 'restore' && !rest.includes('--data-dir');
    if (isAlone && server) await stop();
    if (!isAlone && !server) await serve();
    // There is no terminal to ask on: the page shows the question, the script says its answer.
    const { code, stdout, stderr } = await runCommand(command === 'erase' ? [...args, '--yes'] : args, { cwd: place });
    assert.equal(code, 0, `${line}: ${stderr}`);
    return stdout.replaceAll(place, PLACE);
  };
  return {
    get commands() {
      return [...commands];
    },
    run: async ({ text }: Fence) => {
      let said = '';
      for (const line of text.split('\n')) said += await run(line);
      return said;
    },
  };
}

/** What `curl` would print. */
async function asked(url: string, address: string): Promise<string> {
  const response = await fetch(address.replace('http://127.0.0.1:3000', url));
  assert.equal(response.status, 200, address);
  return response.text();
}

/** The workspace that the examples are about, and a key of its default tenant. */
async function filled(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { mode: 0o700 });
  return whileOpen(dataDir, async (app) => {
    await app.runtime.tenants.create({ name: 'acme' });
    const key = await app.newKey();
    const events = Array.from({ length: 37 }, () => ({ eventName: 'message', threadId: 't-4711' }));
    for (const one of [key, await app.newKey({ tenant: 'acme' })]) await app.ingest(events, one);
    return key;
  });
}

/** What was asked on the terminal is no part of the answer; numbers and times are another time's. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/Type .* to go on/.test(line))
    .map((line) =>
      line
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/\b\d[\d,.]*\d\b|\b\d\b/g, 'N')
        .replaceAll(/N (KB|MB|GB)/g, 'N BYTES')
        .replaceAll(/active key is [\w-]{8}\./g, 'active key is ID.'),
    );
}
