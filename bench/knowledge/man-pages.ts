import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A manual page: what its NAME says it does, and what else it says. */
export interface ManPage {
  name: string;
  summary: string;
  body: string;
}

const MAN = '/usr/share/man';
const SECTIONS = ['man1', 'man2', 'man4', 'man5', 'man6', 'man7', 'man8', 'man3'];
const BODY_CHARACTERS = 3_000;
const LEAST_CHARACTERS = 300;
/** Of one program: some describe each of thousands of subcommands in the same words. */
const MOST_OF_PROGRAM = 50;

/** As many manual pages of this machine as there are, or are asked for; kept in the directory, so that they stay the same. */
export function manPages(directory: string, most: number): ManPage[] {
  const kept = join(directory, `man-pages-${most}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as ManPage[];
  const pages = new Map<string, ManPage>();
  const programs = new Map<string, number>();
  for (const file of files()) {
    if (pages.size === most) break;
    const program = basename(file).split(/[-_.:]/, 1)[0]!;
    if ((programs.get(program) ?? 0) >= MOST_OF_PROGRAM) continue;
    const page = read(file);
    // Pages that are about the same, as those of versions of one program are, would be right answers for each other.
    if (!page || pages.has(page.summary.toLowerCase())) continue;
    pages.set(page.summary.toLowerCase(), page);
    programs.set(program, (programs.get(program) ?? 0) + 1);
  }
  writeFileSync(kept, JSON.stringify([...pages.values()]));
  return [...pages.values()];
}

function* files(): Generator<string> {
  const seen = new Set<string>();
  for (const section of SECTIONS) {
    const directory = join(MAN, section);
    if (!existsSync(directory)) continue;
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      const real = existsSync(path) ? realpathSync(path) : '';
      if (!real.endsWith('.gz') || seen.has(real)) continue;
      seen.add(real);
      yield real;
    }
  }
}

function read(path: string): ManPage | null {
  const lines = textOf(gunzipSync(readFileSync(path)).toString('utf8'));
  const at = lines.findIndex((line) => /^NAME$/i.test(line));
  const end = lines.findIndex((line, index) => index > at && /^[A-Z][A-Z ]+$/.test(line));
  if (at === -1 || end === -1) return null;
  const [, name, summary] =
    /^(\S.*?) +-+ +(.+)$/.exec(
      lines
        .slice(at + 1, end)
        .join(' ')
        .trim(),
    ) ?? [];
  const body = lines.slice(end).join('\n').slice(0, BODY_CHARACTERS);
  if (name === undefined || summary === undefined || body.length < LEAST_CHARACTERS) return null;
  return { name, summary: summary.trim(), body };
}

/** Of the language of manual pages only what most pages write: macros that carry text, fonts, and names of characters. */
function textOf(source: string): string[] {
  return source
    .split('\n')
    .filter(
      (line) =>
        !/^['.]\s*(\\"|if|ie|el|de|ds|nr|TH|Dd|Dt|Os|in|ad|nh|so|tr|rr|rm|ft|ne|sp|fi|nf|ta|UR|UE|mso|hy|\.)/.test(
          line,
        ),
    )
    .map((line) =>
      line
        .replace(/^\.Nd /, '- ')
        .replace(/^['.]\s*[A-Za-z]+ ?/, '')
        .replace(/\\f(\(..|\[[^\]]*\]|.)/g, '')
        .replace(/\\\*?\((\w\w|..)/g, (_, name: string) => (name === 'em' || name === 'hy' ? '-' : ' '))
        .replace(/\\s[-+]?\d/g, '')
        .replace(/\\[&|^/,%:]/g, '')
        .replace(/\\-/g, '-')
        .replace(/\\(.)/g, '$1')
        .replaceAll('"', '')
        .trim(),
    )
    .filter((line) => line !== '');
}
