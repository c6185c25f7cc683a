#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

// Plain JavaScript that every Node.js understands: it decides which one runs the program.

const MINIMUM = [22, 14];
// Below this, Node.js does not run TypeScript sources by itself, as a checkout needs.
const SOURCES = [22, 18];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const isCheckout = existsSync(here('../src/main.ts'));
const [major, minor] = process.versions.node.split('.').map(Number);
const atLeast = ([wantedMajor, wantedMinor]) => major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);

if (isCheckout && !atLeast(SOURCES)) runUnderInstalledNode();
else if (!atLeast(MINIMUM))
  fail(`agent-runtime needs Node.js ${MINIMUM.join('.')} or newer; this is ${process.version}.`);
else await run();

async function run() {
  // Each query, flush and compaction holds a thread of the pool while it runs: with the usual four, queries that take
  // long would keep events from becoming queryable. It is read once, when the pool is first used.
  process.env.UV_THREADPOOL_SIZE ??= '12';
  if (process.channel && process.env.AGENT_RUNTIME_WRAPPED) {
    // The wrapper below is gone, killed perhaps: what it stood for must not live on.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.channel.unref();
  }
  // The demo promises to leave nothing in the system's temporary directory.
  if (process.argv[2] !== 'demo') await keepCompiled();
  const { main } = await import(isCheckout ? '../src/main.ts' : '../dist/main.js');
  process.exitCode = await main(process.argv.slice(2));
}

/** Keeps compiled code where only this user can write. Worker threads read the directory from the environment. */
async function keepCompiled() {
  // The operator's choice, which Node.js itself has followed; empty means that nothing is kept.
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
