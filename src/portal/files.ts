import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RuntimeError } from '../core/base/shared/errors.ts';

const IS_CHECKOUT = import.meta.url.endsWith('.ts');
/** In the bundle they are next to this module; a checkout builds them. */
const DIRECTORIES = {
  portal: fileURLToPath(new URL(IS_CHECKOUT ? '../../build/portal/' : './', import.meta.url)),
  reference: fileURLToPath(new URL(IS_CHECKOUT ? '../../build/reference/' : './reference/', import.meta.url)),
};
type Part = keyof typeof DIRECTORIES;

const BUILD = fileURLToPath(new URL('../../packaging/portal/build.ts', import.meta.url));

/** A failed build is not tried again within this time. */
const FAILURE_MS = 10_000;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export interface PortalFile {
  type: string;
  read(): Promise<Buffer>;
}

/**
 * The built pages of the portal by path (`index.html`, `assets/index-1a2b.js`), and of the API
 * reference below `reference/`.
 */
export class PortalFiles {
  private readonly files = new Map<Part, Promise<Map<string, PortalFile>>>();
  private readonly list: typeof listFiles;

  constructor(list = listFiles) {
    this.list = list;
  }

  /**
   * Null if there is none. Rejects with `unavailable` if the pages are not built and the build
   * fails.
   */
  async find(path: string): Promise<PortalFile | null> {
    const [, ofReference] = /^reference\/(.*)$/.exec(path) ?? [];
    const part = ofReference === undefined ? 'portal' : 'reference';
    const files = this.files.get(part) ?? this.listOnce(part);
    return (await files).get(ofReference ?? path) ?? null;
  }

  private listOnce(part: Part): Promise<Map<string, PortalFile>> {
    const files = this.list(part);
    this.files.set(part, files);
    files.catch(() => setTimeout(() => this.files.delete(part), FAILURE_MS).unref());
    return files;
  }

  /** The text of a file that every build has. */
  async text(path: string): Promise<string> {
    const file = await this.find(path);
    if (!file) throw new Error(`the portal's ${path} is missing`);
    return (await file.read()).toString();
  }
}

async function listFiles(part: Part): Promise<Map<string, PortalFile>> {
  if (IS_CHECKOUT) await build(part);
  const directory = DIRECTORIES[part];
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const served = names.filter((name) => TYPES[extname(name)] !== undefined);
  return new Map(
    served.map((name) => [
      name.replaceAll('\\', '/'),
      { type: TYPES[extname(name)]!, read: () => readFile(join(directory, name)) },
    ]),
  );
}

const building = new Map<Part, Promise<unknown>>();

/** Builds the part once for all servers of a process. If that fails, an earlier build is used. */
function build(part: Part): Promise<unknown> {
  const running = building.get(part) ?? promisify(execFile)(process.execPath, [BUILD, part]);
  building.set(part, running);
  return running.catch((error: Error & { stderr?: string }) => {
    building.delete(part);
    if (existsSync(join(DIRECTORIES[part], 'index.html'))) return;
    const message = `The pages could not be built: ${reasonOf(error)}. Run "npm ci" in the checkout.`;
    throw new RuntimeError('unavailable', message);
  });
}

/** Why a script failed, without the stack and the version that Node writes after the error. */
export function reasonOf({ stderr = '', message }: Error & { stderr?: string }): string {
  const reason = stderr.split('\n').findLast((line) => /^\w*Error\b/.test(line)) ?? message.replace(/\n.*/s, '');
  return reason.trim().replace(/\.$/, '');
}
