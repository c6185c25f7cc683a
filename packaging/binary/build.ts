import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILD } from '../paths.ts';
import { makeApp, makeAppWithNode } from './app.ts';
import { makeExecutable, nodeOf } from './executable.ts';
import { sizeOf } from './files.ts';
import { executableName, TARGETS, type Target, targetOf } from './targets.ts';

const HELP = `node packaging/binary/build.ts bundle|executable [--target NAME] [--out PATH] [--node PATH]

  bundle       the directory build/app, which needs only Node.js
  executable   one file, build/agent-runtime

  --target     ${TARGETS.map(({ name }) => name).join(', ')} (default: this machine)
  --out        another place
  --node       the Node.js executable of the target, where npm has none
`;

interface Options {
  target?: string | undefined;
  out?: string | undefined;
  node?: string | undefined;
}

const ARTEFACTS: Record<string, (target: Target, options: Options) => Promise<string>> = {
  bundle: async (target, { out }) => {
    const directory = resolve(out ?? join(BUILD, 'app'));
    await makeApp(target, directory);
    return directory;
  },
  executable: async (target, { out, node }) => {
    const output = resolve(out ?? join(BUILD, executableName('agent-runtime', target)));
    const directory = `${output}.app`;
    try {
      await makeAppWithNode(target, directory);
      await makeExecutable({ target, app: directory, node: node ?? (await nodeOf(target)), output });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
    return output;
  },
};

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { target: text, out: text, node: text, help: { type: 'boolean' } },
});
const make = ARTEFACTS[positionals[0] ?? ''];
if (make && !values.help) {
  const path = await make(targetOf(values.target), values);
  console.log(`${path} (${(sizeOf(path) / 1e6).toFixed(1)} MB)`);
} else {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
}
