import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { row } from './support.ts';

const BIN = fileURLToPath(new URL('../bin/agent-runtime.js', import.meta.url));

/** Cold start to the first response, and memory at rest, as a user starts the program. */
export async function benchStart(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [BIN, 'serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'error'],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const url = await new Promise<string>((resolve) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const ready = /ready at (\S+)/.exec(output)?.[1];
        if (ready) resolve(ready);
      });
    });
    await (await fetch(`${url}/readyz`)).json();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    memory.push(residentMegabytes(child.pid!));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
  rmSync(dataDir, { recursive: true, force: true });
  row(
    `cold start to first answer, first start ${times[0]!.toFixed(0)} ms`,
    `best ${Math.min(...times).toFixed(0)} ms`,
    '<= 1500 ms',
  );
  row(`idle memory, first start ${memory[0]!.toFixed(0)} MB`, `most ${Math.max(...memory).toFixed(0)} MB`, '<= 200 MB');
}

/** Linux only. */
function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
