import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { ROOT } from '../paths.ts';
import { changelogSection, versionOfTag } from './changelog.ts';

/* `node packaging/release/notes.ts v1.2.3`: prints the notes of a release, if everything has its version. */

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const versionIn = (name: string) => (JSON.parse(read(name)) as { version: string }).version;
try {
  const version = versionOfTag(process.argv[2] ?? '', {
    'package.json': versionIn('package.json'),
    'server.json': versionIn('server.json'),
    'src/core/base/shared/program.ts': PROGRAM.version,
  });
  process.stdout.write(changelogSection(read('CHANGELOG.md'), version));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
