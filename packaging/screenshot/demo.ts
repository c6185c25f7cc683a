import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../paths.ts';

/** Runs with the login link of a serving `agent-runtime demo`, and ends it. */
export async function withDemo(run: (link: string) => Promise<void>): Promise<void> {
  const demo = spawn(process.execPath, [join(ROOT, 'bin/agent-runtime.js'), 'demo', '--keep-serving'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await run(await linkOf(demo));
  } finally {
    demo.kill();
  }
}

async function linkOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) {
    const link = /http:\S+\/login#link=\S+/.exec(line)?.[0];
    if (link !== undefined) return link;
  }
  throw new Error('The demo ended without a link.');
}
