import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const run = promisify(execFile);

/** Long manual pages, of which most systems have some. */
const MANUALS = [
  'bash.1',
  'gcc.1',
  'perlfunc.1',
  'git-config.1',
  'rsync.1',
  'curl.1',
  'ffmpeg-all.1',
  'openssl.1',
  'tar.1',
];
const DOCUMENTATION = '/usr/share/doc';
const MOST_HTML = 8;
const HTML_BYTES = { least: 30_000, most: 2_000_000 };
const CHROMIUM_MS = 60_000;

/**
 * Real PDFs by three makers: manuals printed by groff, documentation printed by Chromium, and what packages bring. What the
 * machine lacks is left out. Made once in a directory.
 */
export async function pdfFiles(directory: string): Promise<string[]> {
  const made = join(directory, 'pdf');
  if (!existsSync(made)) {
    mkdirSync(made, { recursive: true });
    await printManuals(made);
    await printHtml(made);
  }
  const brought = find(DOCUMENTATION, (name) => name.endsWith('.pdf'));
  return [...readdirSync(made).map((name) => join(made, name)), ...brought];
}

async function printManuals(directory: string): Promise<void> {
  for (const manual of MANUALS) {
    const path = `/usr/share/man/man1/${manual}.gz`;
    if (!existsSync(path)) continue;
    const source = join(directory, `${manual}.source`);
    writeFileSync(source, gunzipSync(readFileSync(path)));
    const printed = await run('sh', [
      '-c',
      'groff -Kutf8 -t -mandoc -Tpdf "$1" > "$2"; rm "$1"',
      'sh',
      source,
      join(directory, `${manual}.pdf`),
    ]).catch(() => null);
    if (printed === null) return;
  }
}

async function printHtml(directory: string): Promise<void> {
  const pages = find(DOCUMENTATION, (name) => name.endsWith('.html')).slice(0, MOST_HTML);
  for (const [index, page] of pages.entries()) {
    const output = `--print-to-pdf=${join(directory, `html-${index}.pdf`)}`;
    const options = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer', output, `file://${page}`];
    const printed = await run('chromium', options, { timeout: CHROMIUM_MS }).catch(() => null);
    if (printed === null) return;
  }
}

function find(directory: string, isWanted: (name: string) => boolean): string[] {
  if (!existsSync(directory)) return [];
  const found = new Set<string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && isWanted(entry.name) && isOfSize(path)) found.add(realpathSync(path));
  }
  return [...found].sort();
}

function isOfSize(path: string): boolean {
  const { length } = readFileSync(path);
  return path.endsWith('.pdf') || (length >= HTML_BYTES.least && length <= HTML_BYTES.most);
}
