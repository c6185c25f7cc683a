import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packagesOf, thirdPartyNotices } from '../licences/third-party.ts';
import { bundleServer } from './bundle.ts';
import { icon } from './icon.ts';
import { FILES, manifest } from './manifest.ts';
import { pack } from './pack.ts';

/*
 * `npm run mcpb`: builds the bundle that Claude Desktop installs. Takes another output path as an
 * argument. Prints the hash for server.json.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const output = resolve(process.argv[2] ?? join(ROOT, 'dist', 'agent-runtime.mcpb'));

const { code, sources } = await bundleServer();
const { bytes, sha256 } = await pack(
  {
    [FILES.manifest]: `${JSON.stringify(manifest(), null, 2)}\n`,
    [FILES.server]: code,
    [FILES.icon]: icon(512),
    [FILES.licence]: readFileSync(join(ROOT, 'LICENSE')),
    [FILES.thirdParty]: thirdPartyNotices('server/index.mjs', packagesOf(sources)),
  },
  output,
);
console.log('\nOpen it with a double click, or drag it onto Settings, Extensions in Claude Desktop:');
console.log(`${output}\n${bytes} bytes\nSHA-256 ${sha256}`);
