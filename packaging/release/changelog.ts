/** The section of a version, without its heading. Throws when there is none, or when it is not released. */
export function changelogSection(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^\S+/.exec(section)?.[0] === version);
  if (found === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
  const [heading = '', ...lines] = found.split('\n');
  if (/unreleased/i.test(heading)) throw new Error(`CHANGELOG.md says that ${version} is unreleased.`);
  const text = lines.join('\n').trim();
  if (text === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty.`);
  return `${text}\n`;
}

/** Throws unless every place has the version of the tag. Returns that version. */
export function versionOfTag(tag: string, versions: Record<string, string>): string {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1];
  if (version === undefined) throw new Error(`The tag ${tag} is not a version such as v1.2.3.`);
  const others = Object.entries(versions).filter(([, one]) => one !== version);
  if (others.length === 0) return version;
  throw new Error(`The tag is ${tag}, but ${others.map(([place, one]) => `${place} has ${one}`).join(' and ')}.`);
}
