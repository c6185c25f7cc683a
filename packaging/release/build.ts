import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FILES, makeAppWithNode } from '../binary/app.ts';
import { filesIn, sizeOf } from '../binary/files.ts';
import { executableName, targetOf } from '../binary/targets.ts';
import { BUILD } from '../paths.ts';
import { writeArchive } from './archive.ts';
import { archiveName, releaseName } from './names.ts';

/*
 * `npm run archive -- [--target NAME] [--executable PATH]`: packs an executable that was built, signed
 * and tested into build/release, with its SBOM beside it.
 */

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { target: text, executable: text } });
const target = targetOf(values.target);
const executable = executableName('agent-runtime', target);
const release = join(BUILD, 'release');
const app = join(BUILD, 'release.app');
const path = join(release, archiveName(target));
const directory = releaseName(target);
mkdirSync(release, { recursive: true });
try {
  // The same licences and SBOM as in the executable.
  await makeAppWithNode(target, app);
  await writeArchive(path, [
    {
      name: `${directory}/${executable}`,
      source: resolve(values.executable ?? join(BUILD, executable)),
      isExecutable: true,
    },
    // Messages of the program refer to docs.
    ...['CHANGELOG.md', 'LICENSE', FILES.notices, ...filesIn(join(app, 'docs')).map((name) => `docs/${name}`)].map(
      (name) => ({ name: `${directory}/${name}`, source: join(app, name) }),
    ),
  ]);
  cpSync(join(app, FILES.sbom), join(release, `${directory}.cdx.json`));
} finally {
  rmSync(app, { recursive: true, force: true });
}
console.log(`${path} (${(sizeOf(path) / 1e6).toFixed(1)} MB)`);
