import { Readable } from 'node:stream';
import { main } from '../../src/main.ts';
import type { Asked, Said } from './shell.ts';

/*
 * Runs the command lines that it is sent, one at a time, each with standard streams of its own; says what became of each.
 */

process.on('message', async (asked: Asked) => process.send!(await run(asked)));
process.on('disconnect', () => process.exit());

async function run({ args, input, cwd }: Asked): Promise<Said> {
  process.chdir(cwd);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      written[name] += String(text);
      return true;
    };
  }
  const value = Readable.from([Buffer.from(input)], { objectMode: false });
  Object.defineProperty(process, 'stdin', { value, configurable: true });
  process.exitCode = undefined;
  const code = await main(args);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  return { code, ...written };
}
