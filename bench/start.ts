import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync } from 'node:zlib';
import type { Options } from './events/options.ts';
import { row } from './support.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Longer than a server takes to return the memory of its start. */
const IDLE_MS = 4_000;
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 12 } };

const BARE = `const server = require('node:http').createServer((_, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => console.log('ready at http://127.0.0.1:' + server.address().port));`;

interface Contender {
  name: string;
  /** Before the arguments of the program. */
  command: string[];
  /** As it is released. */
  isRelease?: boolean;
  isBare?: boolean;
}

interface Figures {
  /** Milliseconds. */
  answer: number[];
  version: number[];
  /** Megabytes. */
  anonymous: number[];
  file: number[];
  resident: number[];
}

/**
 * Warm starts to the first answer, `--version`, memory at rest, and sizes, of all that can be
 * started: they alternate, each on its own data directory. Memory on Linux only.
 */
export async function benchStart({ rounds, against }: Options): Promise<void> {
  const contenders = [
    { name: 'bare node:http', command: [process.execPath, '-e', BARE], isBare: true },
    ...(against === null ? [] : contendersOf(against, `${against}: `)),
    ...contendersOf(ROOT),
  ];
  const measured = new Map(contenders.map((one) => [one, noFigures()]));
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  try {
    // Round 0 fills the caches.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, [contender, figures]] of [...measured].entries()) {
        const into = round === 0 ? noFigures() : figures;
        await measureServer(contender, join(directory, String(index)), into, round === 0 ? 0 : IDLE_MS);
        if (!contender.isBare) measureVersion(contender, into);
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  for (const [contender, figures] of measured) report(contender, figures);
  reportSizes();
}

function contendersOf(root: string, prefix = ''): Contender[] {
  const [source, bundle] = ['bin/agent-runtime.js', 'build/app/bin/agent-runtime.js'];
  const single = join(root, 'build/agent-runtime');
  const made = (name: string, command: string[], isRelease = false) => ({ name: prefix + name, command, isRelease });
  const node = process.execPath;
  return [
    made('source', [node, join(root, source)]),
    ...(existsSync(join(root, bundle))
      ? [
          made('build/app', [node, join(root, bundle)]),
          made('build/app, packaged flags', [node, '--min-semi-space-size=16', join(root, bundle)], true),
        ]
      : []),
    ...(existsSync(single) ? [made('build/agent-runtime', [single], true)] : []),
  ];
}

function noFigures(): Figures {
  return { answer: [], version: [], anonymous: [], file: [], resident: [] };
}

async function measureServer(contender: Contender, dataDir: string, into: Figures, idleMs: number): Promise<void> {
  const [command = '', ...args] = contender.command;
  const serve = ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'error'];
  const started = performance.now();
  const child = spawn(command, [...args, ...(contender.isBare ? [] : serve)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /ready at (\S+)/.exec(output)?.[1];
      if (ready) resolve(ready);
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`${contender.name} ended with ${code}: ${complaint}`)));
  });
  await (await fetch(`${url}/readyz`)).text();
  into.answer.push(performance.now() - started);
  await sleep(idleMs);
  into.anonymous.push(megabytesOf(child.pid!, 'RssAnon'));
  into.file.push(megabytesOf(child.pid!, 'RssFile'));
  into.resident.push(megabytesOf(child.pid!, 'VmRSS'));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function measureVersion({ name, command: [command = '', ...args] }: Contender, into: Figures): void {
  const started = performance.now();
  const { status } = spawnSync(command, [...args, '--version']);
  into.version.push(performance.now() - started);
  if (status !== 0) throw new Error(`${name} --version ended with ${status}`);
}

function megabytesOf(pid: number, field: string): number {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

function report({ name, isRelease, isBare }: Contender, { answer, version, anonymous, file, resident }: Figures): void {
  const demanded = (text: string) => (isRelease ? text : '');
  row(`${name}: warm start to first answer, median`, inMs(median(answer)), demanded('<= 350 ms'));
  row(`${name}: warm start to first answer, best`, inMs(Math.min(...answer)), '');
  if (!isBare) row(`${name}: --version, median`, inMs(median(version)), demanded('<= 150 ms'));
  row(`${name}: idle memory, anonymous`, inMegabytes(median(anonymous)), demanded('<= 60 MB'));
  row(`${name}: idle memory, of files`, inMegabytes(median(file)), '');
  row(`${name}: idle memory, resident`, inMegabytes(median(resident)), demanded('<= 130 MB'));
}

function reportSizes(): void {
  const [bundle, single] = [join(ROOT, 'build/app'), join(ROOT, 'build/agent-runtime')];
  if (existsSync(bundle)) row('build/app: size', inMegabytes(bytesIn(bundle) / 1e6), '<= 92 MB');
  if (!existsSync(single)) return;
  row('build/agent-runtime: size', inMegabytes(statSync(single).size / 1e6), '<= 140 MB');
  const compressed = zstdCompressSync(readFileSync(single), ZSTD).length;
  row('build/agent-runtime: size, zstd -12', inMegabytes(compressed / 1e6), '<= 62 MB');
}

function bytesIn(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const inMs = (value: number) => `${value.toFixed(0)} ms`;
const inMegabytes = (value: number) => `${value.toFixed(1)} MB`;
