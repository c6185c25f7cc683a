import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { BIN, type Started } from './process.ts';

/*
 * A limit of memory as containers have one: a control group that this process makes, which takes root. The program is in
 * it before it starts.
 */

const FIRST = '/sys/fs/cgroup/memory';
const SECOND = '/sys/fs/cgroup';

interface Kind {
  parent: string;
  limit: string;
  swap: [file: string, value: (bytes: number) => number];
  used: string;
  kills: [file: string, pattern: RegExp];
}

const KINDS: Kind[] = [
  {
    parent: FIRST,
    limit: 'memory.limit_in_bytes',
    swap: ['memory.memsw.limit_in_bytes', (bytes) => bytes],
    used: 'memory.usage_in_bytes',
    kills: ['memory.oom_control', /oom_kill (\d+)/],
  },
  {
    parent: SECOND,
    limit: 'memory.max',
    swap: ['memory.swap.max', () => 0],
    used: 'memory.current',
    kills: ['memory.events', /oom_kill (\d+)/],
  },
];

export interface MemoryGroup {
  /** Starts the checkout within the limit. */
  program: Pick<Started, 'command' | 'args'>;
  /** Processes that the system has killed for want of memory. */
  kills(): number;
  /** Bytes, with pages of files. */
  used(): number;
}

let serial = 0;

/** Null where no group can be made. It is gone after the test. */
export function memoryGroup(t: Pick<TestContext, 'after'>, bytes: number): MemoryGroup | null {
  for (const { parent, limit, swap, used, kills } of KINDS) {
    const directory = join(parent, `agent-runtime-test-${process.pid}-${++serial}`);
    try {
      mkdirSync(directory);
    } catch {
      continue;
    }
    // The program that was in it has ended by then.
    t.after(() => rmdirSync(directory));
    if (!existsSync(join(directory, limit))) continue;
    const file = (name: string) => join(directory, name);
    writeFileSync(file(limit), String(bytes));
    if (existsSync(file(swap[0]))) writeFileSync(file(swap[0]), String(swap[1](bytes)));
    const enter = `echo $$ > ${file('cgroup.procs')} && exec "$@"`;
    return {
      program: { command: '/bin/sh', args: ['-c', enter, 'sh', process.execPath, BIN] },
      kills: () => Number(kills[1].exec(readFileSync(file(kills[0]), 'utf8'))?.[1] ?? 0),
      used: () => Number(readFileSync(file(used), 'utf8')),
    };
  }
  return null;
}
