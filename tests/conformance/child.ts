import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import type { Cleanups } from './cleanups.ts';

/** Many times what a suite takes on a busy machine. */
const TIMEOUT_MS = 90_000;

export interface Ending {
  /** null: killed, by the timeout or by the end of the run. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Watched {
  /** Gets all output so far. */
  onOutput?: (all: string) => void;
  environment?: Record<string, string>;
}

/** Runs an installed program outside of the checkout, with `home` as its home directory. */
export async function runInstalled(
  cleanups: Cleanups,
  program: URL,
  args: string[],
  home: string,
  { onOutput = () => undefined, environment = {} }: Watched = {},
): Promise<Ending> {
  let child: ChildProcess | undefined;
  let closed: Promise<unknown> | undefined;
  cleanups.after(async () => {
    child?.kill('SIGKILL');
    await closed;
  });
  child = spawn(process.execPath, [realpathSync(program), ...args], {
    cwd: home,
    env: { ...process.env, HOME: home, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  closed = once(child, 'close');
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text;
      onOutput(texts.stdout + texts.stderr);
    });
  }
  await closed;
  return { code: child.exitCode, ...texts };
}
