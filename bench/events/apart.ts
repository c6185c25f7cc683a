import { fork } from 'node:child_process';
import type { ApartReply, Measurements } from './apart-entry.ts';

/** Measures in a process of its own, because of its memory. Input and output are plain data. */
export function measureApart<Name extends keyof Measurements>(
  name: Name,
  input: Parameters<Measurements[Name]>[0],
): Promise<Awaited<ReturnType<Measurements[Name]>>> {
  const child = fork(new URL('./apart-entry.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The process that measures ${name} ended with ${code}.`)));
    child.once('message', (reply: ApartReply<Name>) => {
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply.result);
    });
    child.send({ name, input });
  });
}
