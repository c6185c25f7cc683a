import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TARGETS } from '../binary/targets.ts';
import { ROOT } from '../paths.ts';
import { archiveName, releaseName } from './names.ts';

/** Files for package managers, by name, from a template each. OWNER is that of the repository. */
const TEMPLATES: Record<string, string> = {
  'homebrew/agent-runtime.rb': 'homebrew/agent-runtime.rb.tmpl',
  'winget/OWNER.AgentRuntime.yaml': 'winget/version.yaml.tmpl',
  'winget/OWNER.AgentRuntime.installer.yaml': 'winget/installer.yaml.tmpl',
  'winget/OWNER.AgentRuntime.locale.en-US.yaml': 'winget/locale.yaml.tmpl',
};

export interface Release {
  version: string;
  /** `OWNER/NAME` on GitHub. */
  repository: string;
  /** The content of SHA256SUMS. */
  checksums: string;
}

/** Fills in the templates for a release. Throws when an archive of it has no checksum. */
export function packageManifests({ version, repository, checksums }: Release): Map<string, string> {
  const hashes = new Map(checksums.split('\n').map((line) => line.split(/ [ *]/).reverse() as [string, string]));
  const owner = repository.split('/')[0]!;
  const values: Record<string, string | undefined> = { version, repository, owner };
  for (const target of TARGETS) {
    const archive = archiveName(target, version);
    values[`directory ${target.name}`] = releaseName(target, version);
    values[`url ${target.name}`] = `https://github.com/${repository}/releases/download/v${version}/${archive}`;
    values[`sha256 ${target.name}`] = hashes.get(archive);
  }
  return new Map(
    Object.entries(TEMPLATES).map(([name, template]) => [
      name.replace('OWNER', owner),
      fill(readFileSync(join(ROOT, 'packaging', template), 'utf8'), values),
    ]),
  );
}

function fill(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/\{\{(.+?)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`There is no ${name} for the manifests.`);
    return value;
  });
}
