import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Host, Ran } from '../../../src/commands/service/host.ts';
import { temporaryDirectory } from '../../support/app.ts';

/** A machine whose commands are recorded and answered by `answers`, the first that is the beginning of one. */
export function fakeHost(t: TestContext, answers: Record<string, Partial<Ran>> = {}, changed: Partial<Host> = {}) {
  const home = join(temporaryDirectory(t), 'home');
  mkdirSync(home);
  const asked: string[] = [];
  const host: Host = {
    platform: 'linux',
    uid: 1000,
    user: 'ada',
    home,
    program: { command: '/usr/local/bin/agent-runtime', args: [] },
    variable: () => undefined,
    run: async (command, args) => {
      const line = [command, ...args].join(' ');
      asked.push(line);
      const answer = Object.entries(answers).find(([beginning]) => line.startsWith(beginning))?.[1];
      return { code: 0, stdout: '', stderr: '', ...answer };
    },
    attach: async (command, args) => {
      asked.push([command, ...args].join(' '));
      return 0;
    },
    ...changed,
  };
  return { host, home, asked };
}
