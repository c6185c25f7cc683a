#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

// Plain JavaScript for every version of Node.js: it chooses the version that runs the program.

const MINIMUM = [22, 14];
// A checkout needs a Node.js that runs TypeScript sources.
const SOURCES = [22, 18];

/** A container in which fewer queries run at once. */
const SMALL_BYTES = 640 * 1024 * 1024;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const isCheckout = existsSync(here('../src/main.ts'));
const [major, minor] = process.versions.node.split('.').map(Number);
const atLeast = ([wantedMajor, wantedMinor]) => major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);

if (isCheckout && !atLeast(SOURCES)) runUnderInstalledNode();
else if (!atLeast(MINIMUM))
  fail(`agent-runtime needs Node.js ${MINIMUM.join('.')} or newer; this is ${process.version}.`);
else run();

async function run() {
  // Each query, flush and compaction occupies a thread of the pool. With the default of four, slow
  // queries would keep events from becoming queryable. Node.js reads it when the pool is first
  // used.
  const isSmall = process.constrainedMemory?.() < SMALL_BYTES;
  // Each thread keeps memory.
  process.env.UV_THREADPOOL_SIZE ??= isSmall ? '6' : '12';
  // The allocator of DuckDB reads it when it is loaded: freed memory returns at once.
  if (isSmall) process.env.DUCKDB_JE_MALLOC_CONF ??= 'narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0';
  if (process.channel && process.env.AGENT_RUNTIME_WRAPPED) {
    // The wrapper below was killed: end with it.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.channel.unref();
  }
  // The demo leaves no files behind.
  if (process.argv[2] !== 'demo') await enableCompileCache();
  const { main } = await import(isCheckout ? '../src/main.ts' : '../dist/main.js');
  process.exitCode = await main(process.argv.slice(2));
  // A start that failed leaves nothing half alive, whatever step it was.
  if (process.argv[2] === 'serve' && process.exitCode !== 0) process.exit();
}

/** Caches compiled code privately. Worker threads read the directory from the environment. */
async function enableCompileCache() {
  // Set by the operator, and already applied by Node.js; empty turns the cache off.
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  const { privateCompileCache } = await import('./compile-cache.js');
  const directory = privateCompileCache();
  if (directory === null) return;
  process.env.NODE_COMPILE_CACHE = directory;
  (await import('node:module')).enableCompileCache?.(directory);
}

function runUnderInstalledNode() {
  const [system, extension] = process.platform === 'win32' ? ['win', '.exe'] : [process.platform, ''];
  const node = here(`../node_modules/node-${system}-${process.arch}/bin/node${extension}`);
  if (!existsSync(node)) {
    fail(
      `agent-runtime needs Node.js ${SOURCES.join('.')} or newer in a checkout; this is ${process.version}. Run npm ci, which installs one on Linux and Windows.`,
    );
    return;
  }
  const child = spawn(node, [here('agent-runtime.js'), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, AGENT_RUNTIME_WRAPPED: '1' },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
