import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sizeOf } from '../binary/files.ts';
import { targetOf } from '../binary/targets.ts';
import { BUILD } from '../paths.ts';
import { architectureOf, debianVersion } from './control.ts';
import { makeDeb } from './package.ts';

/* `npm run deb -- [--target linux-arm64] [--out PATH]`: builds the Debian package with dpkg-deb. */

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { target: text, out: text } });
const target = targetOf(values.target);
const name = `agent-runtime_${debianVersion()}_${architectureOf(target)}.deb`;
const path = resolve(values.out ?? join(BUILD, name));
await makeDeb(target, path);
console.log(`${path} (${(sizeOf(path) / 1e6).toFixed(1)} MB)`);
