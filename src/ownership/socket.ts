import { createHash } from 'node:crypto';
import { chmodSync, closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Agent, buildConnector } from 'undici';
import { UnusableFile } from '../storage/installation/unusable.ts';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the final NUL. */
const MAX_SOCKET_PATH = 103;
const SOCKET_FILE = 'runtime.sock';
const DESCRIPTORS = '/proc/self/fd';
/**
 * Errors of bind and chmod on file systems without sockets: FUSE, 9p, bind mounts of Docker
 * Desktop.
 */
const NO_SOCKETS = new Set(['ENOSYS', 'EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EACCES', 'EINVAL', 'ENODEV', 'EROFS', 'EIO']);

/** `close` is idempotent. */
export interface SocketAddress {
  /** Where it is, or would be by preference. It changes when an owner starts or ends. */
  readonly path: string;
  listen(server: Server): Promise<void>;
  close(): void;
}

/**
 * In the data directory, or a named pipe. A long path uses a descriptor or a private folder in
 * /tmp; so does a directory whose file system has no sockets.
 */
export function socketAddress(dataDir: string): SocketAddress {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return fixed(`\\\\.\\pipe\\agent-runtime-${name}`);
  const direct = join(dataDir, SOCKET_FILE);
  if (Buffer.byteLength(direct) <= MAX_SOCKET_PATH) return preferred(dataDir, direct, `${name}.sock`);
  if (!existsSync(DESCRIPTORS)) return fixed(join(makePrivateFolder(), `${name}.sock`));
  const directory = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
  const close = once(() => closeSync(directory));
  return preferred(dataDir, join(DESCRIPTORS, String(directory), SOCKET_FILE), `${name}.sock`, close);
}

function fixed(path: string): SocketAddress {
  return { path, listen: (server) => listenOnSocket(server, path), close: () => undefined };
}

function preferred(dataDir: string, direct: string, name: string, close: () => void = () => undefined): SocketAddress {
  // Root also looks in the folder of the user whose directory it is.
  const ownerUid = () => statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  const uids = () => new Set([process.geteuid!(), ownerUid()]);
  const elsewhere = () => [...uids()].map((uid) => join(privateFolder(uid), name)).find(isSocketOfUser);
  return {
    get path() {
      return isSocket(direct) ? direct : (elsewhere() ?? direct);
    },
    listen: async (server) => {
      try {
        return await listenOnSocket(server, direct);
      } catch (error) {
        if (!NO_SOCKETS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        rmSync(direct, { force: true });
        await listenOnSocket(server, join(makePrivateFolder(), name));
      }
    },
    close,
  };
}

/** After a second close, the number may belong to another file. */
function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

/** Not TMPDIR: clients that start `mcp` do not pass it on. */
function privateFolder(uid: number): string {
  return `/tmp/agent-runtime-${uid}`;
}

function makePrivateFolder(): string {
  const folder = privateFolder(process.geteuid!());
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const remedy = `It holds the socket by which commands find the server, where the data directory cannot. Make /tmp writable, or use another data directory.`;
    if (code !== 'EEXIST') throw new UnusableFile(folder, `cannot be made (${code}). ${remedy}`, { cause });
  }
  if (isPrivate(folder)) return folder;
  throw new UnusableFile(folder, 'is not a private directory of this user. Remove it, or use another data directory.');
}

function isPrivate(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && folder === privateFolder(found.uid) && (found.mode & 0o077) === 0;
}

function isSocketOfUser(path: string): boolean {
  return isPrivate(join(path, '..')) && isSocket(path);
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}

/** For this user only. Replaces the socket file of a crashed process. */
async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (process.platform === 'win32') return listenAt(server, path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new UnusableFile(path, 'is a directory, and must be a socket that the server makes. Move it aside.');
  }
  rmSync(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await listenAt(server, path);
  } finally {
    process.umask(mask);
  }
  try {
    chmodSync(path, 0o600);
  } catch (error) {
    await new Promise((resolve) => server.close(resolve));
    throw error;
  }
}

function listenAt(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export function socketFetch(
  address: Pick<SocketAddress, 'path'>,
  { headersTimeout = 60_000 }: { headersTimeout?: number } = {},
): { fetch: Fetch; close: () => Promise<void> } {
  let agent: Agent | undefined;
  return {
    fetch: async (url, init) => {
      const undici = await import('undici');
      // Each connection looks again where the socket is.
      const connect: buildConnector.connector = (options, done) =>
        undici.buildConnector({ socketPath: address.path })(options, done);
      agent ??= new undici.Agent({ connect, headersTimeout, bodyTimeout: 0 });
      const response = await undici.fetch(url, { ...init, dispatcher: agent } as Parameters<typeof undici.fetch>[1]);
      return response as unknown as Response;
    },
    close: async () => agent?.destroy(),
  };
}
