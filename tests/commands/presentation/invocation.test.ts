import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { invocationOf, type Start } from '../../../src/commands/presentation/invocation.ts';

const NODE = '/opt/node-24.21/bin/node';
const CHECKOUT = '/home/ana/agent-runtime';
const SCRIPT = `${CHECKOUT}/bin/agent-runtime.js`;

/** `files`: paths that exist, with what they lead to. */
function started(start: Partial<Start>, files: Record<string, string> = {}) {
  const known: Record<string, string> = { [NODE]: NODE, [SCRIPT]: SCRIPT, ...files };
  const { line, ...rest } = invocationOf({
    argv: [NODE, SCRIPT, 'serve'],
    argv0: 'node',
    execPath: NODE,
    environment: {},
    isSea: false,
    cwd: CHECKOUT,
    script: SCRIPT,
    realPath: (path) => known[path] ?? null,
    ...start,
  });
  return { ...rest, demo: line('demo') };
}

const skip = process.platform === 'win32';
const pathOf = (...directories: string[]) => ({ PATH: directories.join(delimiter) });

test('Invocation: a checkout is started by Node.js and the absolute path', { skip }, () => {
  const expected = { command: NODE, args: [SCRIPT], shown: 'node bin/agent-runtime.js' };
  assert.deepEqual(started({}), { ...expected, demo: 'node bin/agent-runtime.js demo' });
  assert.deepEqual(started({ argv: [NODE, 'bin/agent-runtime.js'] }), started({}));
  const elsewhere = started({ cwd: '/home/ana', argv: [NODE, 'agent-runtime/bin/agent-runtime.js'] });
  assert.deepEqual(elsewhere.args, [SCRIPT]);
  assert.equal(elsewhere.shown, 'node agent-runtime/bin/agent-runtime.js');
  assert.equal(started({ cwd: '/srv' }).shown, `node ${SCRIPT}`);
});

test('Invocation: a script of npm is shown for its own command only', { skip }, () => {
  const { command, args, shown, demo } = started({ environment: { npm_lifecycle_event: 'demo' } });
  assert.deepEqual([command, args, shown], [NODE, [SCRIPT], 'node bin/agent-runtime.js']);
  assert.equal(demo, 'npm run demo --');
  assert.equal(started({ environment: { npm_lifecycle_event: 'start' } }).demo, 'node bin/agent-runtime.js demo');
});

test('Invocation: a link on PATH is kept, and shown by its name', { skip }, () => {
  const link = '/usr/local/bin/agent-runtime';
  const files = { [link]: SCRIPT };
  const start = { argv: [NODE, link], environment: pathOf('/usr/bin', '/usr/local/bin'), cwd: '/srv' };
  assert.deepEqual(started(start, files), {
    command: NODE,
    args: [link],
    shown: 'agent-runtime',
    demo: 'agent-runtime demo',
  });
  assert.equal(started({ ...start, environment: {} }, files).shown, link);
});

test('Invocation: Node.js is named by the link that started it', { skip }, () => {
  const link = '/opt/homebrew/bin/node';
  const files = { [link]: NODE, '/usr/bin/node': '/usr/bin/node' };
  assert.equal(started({ environment: pathOf('/usr/bin', '/opt/homebrew/bin') }, files).command, link);
  assert.equal(started({ argv0: link }, files).command, link);
  assert.equal(started({ argv0: '../../bin/unknown' }, files).command, NODE);
});

test('Invocation: a script that is not ours is not named', { skip }, () => {
  assert.deepEqual(started({ argv: [NODE, '/srv/tests/run.ts'] }, { '/srv/tests/run.ts': '/srv/tests/run.ts' }).args, [
    SCRIPT,
  ]);
  assert.deepEqual(started({ argv: [NODE] }).args, [SCRIPT]);
});

test('Invocation: npx is started again by npx', { skip }, () => {
  const script = '/home/ana/.npm/_npx/1a2b/node_modules/agent-runtime/bin/agent-runtime.js';
  const link = '/home/ana/.npm/_npx/1a2b/node_modules/.bin/agent-runtime';
  const files = { [script]: script, [link]: script };
  const environment = { ...pathOf('/home/ana/.npm/_npx/1a2b/node_modules/.bin'), npm_lifecycle_event: 'npx' };
  assert.deepEqual(started({ argv: [NODE, link], script, environment }, files), {
    command: 'npx',
    args: ['-y', 'agent-runtime'],
    shown: 'npx agent-runtime',
    demo: 'npx agent-runtime demo',
  });
});

const UNPACKED = '/home/ana/.cache/agent-runtime/0.1.0-1a2b/bin/agent-runtime.js';
const SEA = '/home/ana/tools/agent-runtime';
const SINGLE = { argv: [SEA, UNPACKED], execPath: SEA, isSea: true, script: UNPACKED, cwd: '/home/ana/tools' };

test('Invocation: a single executable is itself, never what it has unpacked', { skip }, () => {
  const files = { [UNPACKED]: UNPACKED, [SEA]: SEA };
  assert.deepEqual(started({ ...SINGLE, argv0: './agent-runtime' }, files), {
    command: SEA,
    args: [],
    shown: './agent-runtime',
    demo: './agent-runtime demo',
  });
  assert.equal(started({ ...SINGLE, argv0: SEA, cwd: '/srv' }, files).shown, SEA);
});

test('Invocation: a link to a single executable is kept', { skip }, () => {
  const link = '/usr/local/bin/agent-runtime';
  const files = { [UNPACKED]: UNPACKED, [SEA]: SEA, [link]: SEA };
  const environment = pathOf('/usr/local/bin');
  const { command, args, shown } = started({ ...SINGLE, argv0: 'agent-runtime', environment }, files);
  assert.deepEqual([command, args, shown], [link, [], 'agent-runtime']);
});

test('Invocation: a wrapper names itself', { skip }, () => {
  const environment = { AGENT_RUNTIME_INVOCATION: '/usr/bin/agent-runtime', ...pathOf('/usr/bin') };
  assert.deepEqual(started({ environment }), {
    command: '/usr/bin/agent-runtime',
    args: [],
    shown: 'agent-runtime',
    demo: 'agent-runtime demo',
  });
  const unlisted = { AGENT_RUNTIME_INVOCATION: '/opt/my tools/agent-runtime' };
  assert.equal(started({ environment: unlisted }).shown, '"/opt/my tools/agent-runtime"');
  assert.equal(started({ environment: { AGENT_RUNTIME_INVOCATION: 'relative' } }).command, NODE);
});
