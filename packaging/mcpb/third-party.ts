import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

interface Package {
  name: string;
  version: string;
  license: string;
}

/** The licences of the bundled packages, which must be distributed with their code. */
export function thirdPartyNotices(sources: string[]): string {
  const directories = new Set(sources.flatMap((source) => packageDirectory(source) ?? []));
  const notices = [...directories].sort().map(notice);
  return `server/index.mjs contains code of the packages below.\n\n${notices.join('\n')}`;
}

/** `node_modules/zod/v4/core/util.js` belongs to `node_modules/zod`. */
function packageDirectory(source: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0];
}

function notice(directory: string): string {
  const path = join(ROOT, directory);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Package;
  const file = readdirSync(path).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence text to pass on.`);
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
}
