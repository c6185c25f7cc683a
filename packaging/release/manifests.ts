import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { BUILD } from '../paths.ts';
import { packageManifests } from './fill.ts';

/*
 * `node packaging/release/manifests.ts --repository OWNER/NAME --checksums PATH/SHA256SUMS`: writes
 * the Homebrew formula and the winget manifests of a release into build/manifests.
 */

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { repository: text, checksums: text } });
const { repository, checksums } = values;
if (!repository?.includes('/') || !checksums) throw new Error('Give --repository OWNER/NAME and --checksums PATH.');
const release = { version: PROGRAM.version, repository, checksums: readFileSync(checksums, 'utf8') };
for (const [name, content] of packageManifests(release)) {
  const path = join(BUILD, 'manifests', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  console.log(path);
}
