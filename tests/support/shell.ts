import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from './process.ts';

/*
 * Commands that only administer: many of them in one process, since most of what one costs is to start. Where the process
 * itself is what is tested, `runProgram` starts one.
 */

const CHILD = fileURLToPath(new URL('./shell-child.ts', import.meta.url));

export interface Asked {
  args: string[];
  /** What standard input holds. */
  input: string;
  /** The working directory. */
  cwd: string;
}

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** No checkout: no configuration file, no ./data. */
const nowhere = mkdtempSync(join(tmpdir(), 'agent-runtime-shell-'));
process.once('exit', () => rmSync(nowhere, { recursive: true, force: true }));

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs one command line to its end; of several at once, one after the other. */
export function runCommand(args: string[], { input = '', cwd = nowhere }: Partial<Asked> = {}): Promise<Said> {
  const said = last.then(() => ask({ args, input, cwd }));
  last = said.catch(() => undefined);
  return said;
}

/** Runs an administration command that must succeed, and parses the one JSON object that it prints. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export async function runJson(dataDir: string, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await runCommand([...args, '--json', '--data-dir', dataDir]);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

async function ask(asked: Asked): Promise<Said> {
  child ??= start();
  const answered = new AbortController();
  const { signal } = answered;
  child.channel?.ref();
  child.send(asked);
  try {
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${asked.args.join(' ')} ended the shell with ${code}`);
    });
    const [said] = await Promise.race([once(child, 'message', { signal }), ended]);
    return said;
  } finally {
    answered.abort();
    child.channel?.unref();
  }
}

/** It ends with the process of the test file, which it does not keep alive. */
function start(): ChildProcess {
  const started = fork(CHILD, {
    env: cleanEnvironment({ AGENT_RUNTIME_INVOCATION: '/usr/bin/agent-runtime' }),
    execArgv: [],
  });
  started.unref();
  return started;
}
